"""Drives a real Chromium over its devtools pipe: no driver program, no port that another process could connect to."""
import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

PATIENCE = 30  # seconds for an answer, or for a page to become as expected

# Headless Chromium talks to its maker unless told not to; a test that counts requests needs it silent.
SILENT = [
    "--headless=new", "--remote-debugging-pipe", "--no-first-run", "--no-default-browser-check", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-default-apps", "--disable-extensions", "--disable-gpu", "--mute-audio",
    "--hide-scrollbars", "--disable-dev-shm-usage", "--disable-features=Translate,OptimizationHints,MediaRouter", "--lang=en-US",
]


class BrowserError(Exception):
    pass


class Browser:
    """One process with a profile of its own, which goes when it is closed."""

    def __init__(self, program=None):
        program = program or shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        if program is None:
            raise BrowserError("there is no chromium (Debian's package of that name)")
        self.profile = tempfile.mkdtemp(prefix="account-export-browser-")
        to_read, self.outgoing = os.pipe()
        self.incoming, to_write = os.pipe()
        # Only a process without root's rights can have a sandbox of its own.
        options = SILENT + (["--no-sandbox"] if os.geteuid() == 0 else []) + [f"--user-data-dir={self.profile}", "about:blank"]
        # The browser finds its pipe at the descriptors 3 and 4.
        shell = f'exec 7<&{to_read} 8>&{to_write}; exec "$@" 3<&7 4>&8'
        self.process = subprocess.Popen(
            ["bash", "-c", shell, "sh", program, *options], pass_fds=(to_read, to_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True)
        os.close(to_read)
        os.close(to_write)
        self.number = 0
        self.buffer = b""
        self.answers = {}
        self.pages = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        try:
            self.send("Browser.close")
            self.process.wait(10)
        except (BrowserError, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.outgoing)
        os.close(self.incoming)
        # Its children may still be writing there for a moment.
        for _ in range(20):
            shutil.rmtree(self.profile, ignore_errors=True)
            if not os.path.exists(self.profile):
                break
            time.sleep(0.1)

    def page(self, **settings):
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        return Page(self, target, session, **settings)

    def send(self, method, session=None, patience=PATIENCE, **parameters):
        self.number += 1
        number = self.number
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.outgoing, data):]
        until = time.monotonic() + patience
        while number not in self.answers:
            if not self.listen(until - time.monotonic()):
                raise BrowserError(f"no answer to {method} in {patience} s")
        answer = self.answers.pop(number)
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error'].get('message')}")
        return answer["result"]

    def listen(self, seconds):
        """Takes in what the browser says; false if it says nothing for so long."""
        if not select.select([self.incoming], [], [], max(0, seconds))[0]:
            return False
        data = os.read(self.incoming, 1 << 20)
        if not data:
            raise BrowserError("the browser ended")
        *messages, self.buffer = (self.buffer + data).split(b"\0")
        for message in map(json.loads, messages):
            if "id" in message:
                self.answers[message["id"]] = message
            elif message.get("sessionId") in self.pages:
                self.pages[message["sessionId"]].hear(message["method"], message["params"])
        return True


class Page:
    """A tab, with all that it has asked for and complained of."""

    def __init__(self, browser, target, session, width=1200, height=900, dark=False, scripts=True, motion=False):
        self.browser, self.target, self.session = browser, target, session
        browser.pages[session] = self
        self.requests, self.complaints, self.dialogs, self.loaded, self.downloads = [], [], [], False, []
        for domain in ("Page", "Runtime", "Network", "Log", "Audits"):
            self.send(f"{domain}.enable")
        self.size(width, height)
        self.send("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "no-preference" if motion else "reduce"}])
        if not scripts:
            self.send("Emulation.setScriptExecutionDisabled", value=True)

    def send(self, method, **parameters):
        return self.browser.send(method, session=self.session, **parameters)

    def hear(self, event, said):
        if event == "Network.requestWillBeSent":
            self.requests.append(said["request"]["url"])
        elif event == "Page.loadEventFired":
            self.loaded = True
        elif event == "Page.javascriptDialogOpening":
            self.dialogs.append(said["message"])
        elif event == "Page.downloadWillBegin":
            self.downloads.append(said["url"])
        elif event == "Runtime.exceptionThrown":
            details = said["exceptionDetails"]
            self.complaints.append("exception: " + details.get("exception", {}).get("description", details["text"]))
        elif event == "Runtime.consoleAPICalled" and said["type"] in ("error", "warning", "assert"):
            self.complaints.append("console: " + " ".join(str(argument.get("value", argument.get("description"))) for argument in said["args"]))
        elif event == "Log.entryAdded" and said["entry"]["level"] in ("error", "warning"):
            self.complaints.append(f"log: {said['entry']['text']} {said['entry'].get('url', '')}")
        elif event == "Audits.issueAdded" and said["issue"]["code"] == "ContentSecurityPolicyIssue":
            self.complaints.append("policy: " + json.dumps(said["issue"]["details"]["contentSecurityPolicyIssueDetails"])[:300])

    def size(self, width, height=900, scale=1):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=width < 500)

    def go(self, where):
        """Opens a file's page, or a URL, and waits until it is there. A fragment alone makes no new page, so the way is by an empty one."""
        url = where.resolve().as_uri() if isinstance(where, pathlib.Path) else where
        self.loaded = False
        if self.send("Page.navigate", url=url).get("loaderId"):
            self.settle()
        return self

    def settle(self):
        """Waits for the load that a step has begun."""
        until = time.monotonic() + PATIENCE
        while not self.loaded:
            if time.monotonic() > until:
                raise BrowserError("the page did not load")
            self.browser.listen(0.5)

    def run(self, script, **options):
        """The value of an expression in the page; a promise's is waited for."""
        answer = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True, userGesture=True, **options)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def until(self, script, seconds=PATIENCE):
        """Waits until an expression is true, and returns its value."""
        end = time.monotonic() + seconds
        while True:
            try:
                value = self.run(script)
            except BrowserError:
                value = None  # the page was just changing
            if value:
                return value
            if time.monotonic() > end:
                raise BrowserError(f"not in {seconds} s: {script}")
            self.browser.listen(0.05)

    def click(self, selector, nth=0, navigates=False):
        self.click_at(f"document.querySelectorAll({json.dumps(selector)})[{nth}]", navigates)

    def click_at(self, place, navigates=False):
        """A real click in the middle of what is seen of an element, which an expression names."""
        x, y = self.run(f"""(() => {{
            const found = {place};
            if (!found) throw new Error('nothing to click: ' + {json.dumps(place)});
            found.scrollIntoView({{block: 'center', inline: 'center', behavior: 'instant'}});
            const box = found.getClientRects()[0];
            if (!box) throw new Error('not seen: ' + {json.dumps(place)});
            return [box.x + box.width / 2, box.y + box.height / 2];
        }})()""")
        self.loaded = False if navigates else self.loaded
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        if navigates:
            self.settle()

    def press(self, key, code=None, text=None):
        for kind in ("keyDown", "keyUp"):
            more = {"text": text} if text and kind == "keyDown" else {}
            numbers = {"Enter": 13, "Tab": 9, "Escape": 27, "ArrowLeft": 37, "ArrowRight": 39, " ": 32}
            self.send("Input.dispatchKeyEvent", type=kind, key=key, code=code or key, windowsVirtualKeyCode=numbers.get(key, 0), **more)

    def write(self, text):
        self.send("Input.insertText", text=text)

    def choose(self, selector, path):
        """Puts a file into a file field, as its dialog would."""
        document = self.send("DOM.getDocument")["root"]["nodeId"]
        node = self.send("DOM.querySelector", nodeId=document, selector=selector)["nodeId"]
        self.send("DOM.setFileInputFiles", nodeId=node, files=[str(path)])

    def shoot(self, path, whole=False):
        options = {"captureBeyondViewport": True} if whole else {}
        if whole:
            box = self.send("Page.getLayoutMetrics")["cssContentSize"]
            options["clip"] = {"x": 0, "y": 0, "width": box["width"], "height": box["height"], "scale": 1}
        pathlib.Path(path).write_bytes(base64.b64decode(self.send("Page.captureScreenshot", format="png", **options)["data"]))

    def close(self):
        self.browser.send("Target.closeTarget", targetId=self.target)
        self.browser.pages.pop(self.session, None)
