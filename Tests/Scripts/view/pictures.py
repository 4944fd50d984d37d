"""Pictures of the sample account, for people who want to see the view before they make one."""


def take_pictures(shop, folder):
    bag = shop.bag("sample")
    folder.mkdir(parents=True, exist_ok=True)
    page = shop.browser.page(width=1200, height=1640)
    page.go(bag / "index.html").shoot(folder / "first-page.png")
    page.size(1200, 860)
    page.go(bag / bag.collection("data/records/Notes/notes.json")[0]).shoot(folder / "collection.png")
    page.go((bag / "view/search.html").as_uri() + "#q=train%20ibadan")
    page.until("/found/.test(document.querySelector('#search [role=status]')?.textContent)")
    page.shoot(folder / "search.png")
