"""The page of a report in a real browser, at the widths of a desk and of a phone."""

import shutil

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FOUND = next(filter(None, map(shutil.which, BROWSERS)), None)
WIDTHS = {"desktop": 1280, "phone": 360}
# nothing is looked for anywhere: no updates, no sandbox where the tests run as root
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]

playwright = pytest.importorskip(
    "playwright.sync_api", reason="the page is looked at with playwright: pip install playwright"
)
pytestmark = pytest.mark.skipif(
    FOUND is None, reason=f"none of {', '.join(BROWSERS)} is installed: apt-get install chromium"
)


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=FOUND, args=OPTIONS)
        yield started
        started.close()


@pytest.fixture(scope="module", params=["report", "nasty"])
def page_file(request, tmp_path_factory):
    """The page of the screening report, and of one whose names do harm."""
    file = tmp_path_factory.mktemp("page") / "report.html"
    file.write_text(request.getfixturevalue("pages")[request.param], encoding="utf-8")
    return file


@pytest.fixture
def visit(browser, page_file):
    """Open the page; return it, with what the console said and what was asked for elsewhere."""
    contexts = []

    def opened(width, scheme="light"):
        context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
        contexts.append(context)
        page, said, asked = context.new_page(), [], []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("dialog", lambda dialog: said.append(dialog.message))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(page_file.as_uri())
        elsewhere = [url for url in asked if not url.startswith(("file:", "data:"))]
        return page, said, elsewhere

    yield opened
    for context in contexts:
        context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS)
def test_no_overflow_no_error_no_request(visit, width, scheme):
    page, said, elsewhere = visit(width, scheme)
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    assert said == []
    assert elsewhere == []


@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS)
def test_nothing_sticks_out_of_the_page(visit, width):
    page, _, _ = visit(width)
    out = page.evaluate(
        """() => [...document.querySelectorAll("body *")].filter(element => {
            // what lies in a box that scrolls may be wider
            if (element.parentElement.closest(".scroll, .canvas")) return false;
            const box = element.getBoundingClientRect();
            return box.right > innerWidth + 0.5 || box.left < -0.5;
        }).map(element => element.outerHTML.slice(0, 80))"""
    )
    assert out == []


def test_dark_mode_turns_the_page_dark_and_leaves_figures_light(visit, tmp_path):
    grounds = {}
    for scheme in ("light", "dark"):
        page, _, _ = visit(1280, scheme)
        grounds[scheme] = [
            page.evaluate(f"getComputedStyle(document.querySelector('{what}')).backgroundColor")
            for what in ("body", ".canvas")
        ]
        file = tmp_path / f"{scheme}.png"
        page.screenshot(path=file)
        assert file.stat().st_size > 10_000
    assert grounds["light"] == ["rgb(255, 255, 255)", "rgb(255, 255, 255)"]
    assert grounds["dark"][1] == "rgb(255, 255, 255)"
    red, green, blue = (
        int(part) for part in grounds["dark"][0].removeprefix("rgb(").rstrip(")").split(",")
    )
    assert max(red, green, blue) < 50


def test_text_stands_out_from_its_ground(visit):
    for scheme in ("light", "dark"):
        page, _, _ = visit(1280, scheme)
        ratios = page.evaluate(
            """() => {
                const light = colour => {
                    const parts = colour.match(/[\\d.]+/g).slice(0, 3).map(part => {
                        const c = part / 255;
                        return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
                    });
                    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
                };
                const ground = element => {
                    const own = getComputedStyle(element).backgroundColor;
                    return own === "rgba(0, 0, 0, 0)" ? ground(element.parentElement) : own;
                };
                const texts = "h1, .subtitle, nav a, .findings span, th, td, .below, summary";
                return [...document.querySelectorAll(texts)].map(element => {
                    const pair = [light(getComputedStyle(element).color), light(ground(element))];
                    return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
                });
            }"""
        )
        assert min(ratios) >= 4.5


def test_figures_are_drawn_inside_the_page(visit):
    page, _, _ = visit(1280)
    sizes = page.evaluate(
        """() => [...document.querySelectorAll(".canvas > svg")].map(drawing => {
            const box = drawing.getBoundingClientRect();
            return [box.width, box.height, drawing.querySelectorAll("path").length];
        })"""
    )
    assert len(sizes) > 5
    assert all(width > 250 and height > 80 and paths > 5 for width, height, paths in sizes)


def test_the_page_prints_on_paper_that_does_not_scroll(visit):
    page, _, _ = visit(718)  # A4 less its margins
    page.emulate_media(media="print")
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    assert page.evaluate("getComputedStyle(document.querySelector('nav')).display") == "none"
    assert page.pdf(format="A4").startswith(b"%PDF")
