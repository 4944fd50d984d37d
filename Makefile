# Each of these does all that it needs on a Debian machine with Swift, gcc, Python, git and apt.
.PHONY: export test build clean packages test-packages lint install uninstall deb test-install docs fuzz bench

# Debian's packages, for the build; and for the tests, with the command that makes a package unneeded.
BUILD_PACKAGES = libarchive-dev nettle-dev libsqlite3-dev libssl-dev libutf8proc-dev zlib1g-dev libisal-dev libpq-dev
TEST_PACKAGES = unzip=unzip zip=zip p7zip-full=7z libarchive-tools=bsdtar sqlite3=sqlite3 default-jdk-headless=jar golang-go=go time=/usr/bin/time postgresql=initdb \
  libmicrohttpd-dev curl=curl zsh=zsh fish=fish man-db=man chromium=chromium libreoffice-calc-nogui=soffice
# For `make deb`.
DEB_PACKAGES = dpkg-dev=dpkg-shlibdeps

SWIFT = swift
# Swift's own libraries are linked in, so that the program runs where there is no Swift.
RELEASE = --configuration release --static-swift-stdlib --product account-export
PROGRAM = .build/release/account-export
OUT = data.zip
VENV = .venv
# How many exports the tests kill, and how many they make of a store that is being written: `make test KILLS=300 LIVE_EXPORTS=200`.
KILLS = 32
LIVE_EXPORTS = 20
# How many damaged stores the tests export: `make test MUTATIONS=2000`.
MUTATIONS = 100
# How many seconds each fuzzer runs, and which do: `make fuzz TIME=600 TARGETS=bundle`; Tests/Fuzzing/run tells more settings.
TIME = 10
TARGETS =
# How large the benchmark's inputs are, how often each program packs them, and which are measured: `make bench ONLY="coredata postgres"`.
SCALE = 1
ROUNDS = 3
ONLY =

export: build
	@mkdir -p Samples/container/Documents/Empty  # which git can't hold
	.build/release/account-export --config Samples/account-export.json --out $(OUT) --force
	@echo
	@echo 'The sample account of Mira Okafor is in $(OUT).'
	@echo 'Unpack it and open index.html; or run: .build/release/account-export verify $(OUT)'

build: packages
	$(SWIFT) build $(RELEASE)

packages:
	@Scripts/install-packages $(BUILD_PACKAGES)

test-packages: packages
	@Scripts/install-packages $(TEST_PACKAGES)
	@Scripts/install-python-tools Tests/Scripts/requirements.txt $(VENV)

lint:
	$(SWIFT) format lint --strict --recursive Sources Tests Schemas Package.swift

# The articles and the library's reference, as an archive that docc serves; a warning fails it.
docs: packages
	$(SWIFT) build --target AccountExport
	@Scripts/build-docs AccountExport .build/docs

test: test-packages lint docs
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build
	$(SWIFT) build --package-path Tests/OutsidePackage --scratch-path .build/outside
	$(VENV)/bin/python Tests/Scripts/run .build/debug/account-export
	$(VENV)/bin/python Tests/Scripts/kill.py --times $(KILLS) .build/debug/account-export
	$(VENV)/bin/python Tests/Scripts/live-store.py --times $(LIVE_EXPORTS) .build/debug/account-export
	$(VENV)/bin/python Tests/Scripts/malformed.py --mutations $(MUTATIONS) .build/debug/account-export
	$(VENV)/bin/python Tests/Scripts/endpoint.py .build/debug/export-endpoint .build/debug/account-export
	$(VENV)/bin/python Tests/Scripts/view/run .build/debug/account-export

# Where `make install` puts things: DESTDIR stands before PREFIX, for packagers.
PREFIX = /usr/local
DESTDIR =

# What was built before is installed as it is, so that the one who installs needs no Swift: make build; sudo make install.
$(PROGRAM):
	$(MAKE) build

install: $(PROGRAM)
	@DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' Scripts/install $(PROGRAM)

uninstall:
	@DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' Scripts/install --remove

deb: build
	@Scripts/install-packages $(DEB_PACKAGES)
	@Scripts/make-deb $(PROGRAM) .

test-install: test-packages build
	@Scripts/install-packages $(DEB_PACKAGES)
	$(VENV)/bin/python Tests/Scripts/run $(PROGRAM) Tests/Install

bench: build test-packages
	$(VENV)/bin/python Tests/Benchmarks/bench.py $(PROGRAM) --scale $(SCALE) --rounds $(ROUNDS) $(if $(ONLY),--only $(ONLY))

fuzz: packages
	SWIFT=$(SWIFT) Tests/Fuzzing/run $(TIME) $(TARGETS)

# What was built and exported; the installed tools stay.
clean:
	rm -rf .build $(OUT)
