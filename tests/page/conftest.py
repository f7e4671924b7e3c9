"""Chromium, as the machine has it: a browser that a test tool downloads for itself is not asked for."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next((found for name in NAMES if (found := shutil.which(name))), None)
MISSING = "there is no Chromium (Debian: apt-get install chromium): the report is not opened in a browser"


@pytest.fixture(scope="module")  # its event loop would stand in the way of other modules' own
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip(MISSING)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


class Opened(NamedTuple):
    """A page, with all that it wrote to the console, all errors, and every address that it asked for."""

    page: Page
    said: list[str]
    asked: list[str]

    def is_quiet(self) -> bool:
        """Whether it wrote nothing and fetched nothing but itself."""
        files = {address.partition("#")[0] for address in self.asked}
        return self.said == [] and files == {self.page.url.partition("#")[0]}


class Opener:
    """Opens reports in windows of their own."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    def __call__(self, file: Path, fragment: str = "", *, width: int = 1280, theme: str = "light") -> Opened:
        dark = "dark" if theme == "dark" else "light"
        page = self._browser.new_page(viewport={"width": width, "height": 900}, color_scheme=dark)
        opened = Opened(page, [], [])
        page.on("console", lambda message: opened.said.append(message.text))
        page.on("pageerror", lambda error: opened.said.append(str(error)))
        page.on("request", lambda request: opened.asked.append(request.url))
        page.goto(f"file://{file}{fragment}")
        page.wait_for_selector("main > *")
        return opened


@pytest.fixture
def opening(browser: Browser) -> Iterator[Opener]:
    yield Opener(browser)
    for context in browser.contexts:
        context.close()
