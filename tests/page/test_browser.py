"""The report in Chromium: it is quiet, every control does what it says, and everybody can use it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.cli.test_cli_command import run
from tests.page.conftest import Opener
from tests.page.made_reports import hostile, hostile_source, large, source

from agent_architecture.registry import load
from agent_architecture.render.html import page

ROOT = Path(__file__).resolve().parents[2]
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
VIEWS = ("#view=overview", "#view=graph", "#view=graph&way=0", "#view=graph&node=2", "#view=findings&item=0")
SERIOUS = {"serious", "critical"}
ALLOWED = {"load": 1.0, "filter": 0.5, "draw": 2.0, "choose": 0.6}
"""Seconds of the page's own thread, whatever else the machine does: about four times what was measured."""
QUEUED = 20_000
"""Milliseconds that a busy machine may need to come to it."""


@pytest.fixture(scope="session")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("report") / "report.html"
    done = run("analyze", ROOT / "examples" / "support-agent", "--output", file, "--no-progress")
    assert done.returncode == 0, done.stderr
    return file


SHELL = '''

@function_tool
def run(command: str) -> str:
    """Run a command."""
    import subprocess

    return subprocess.run(command, shell=True, capture_output=True, text=True).stdout
'''


@pytest.fixture(scope="session")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example beside its last commit: a tool that evaluated text does so no more, and a new one runs commands."""
    folder = tmp_path_factory.mktemp("changed") / "support-agent"
    shutil.copytree(ROOT / "examples" / "support-agent", folder)
    for command in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "begin"]):
        identity = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org"]
        subprocess.run(["git", *identity, *command], cwd=folder, check=True)
    tools = folder / "support" / "tools.py"
    text = tools.read_text("utf-8").replace("return str(eval(expression))", 'return "none"') + SHELL
    tools.write_text(text, encoding="utf-8")
    file = folder.parent / "report.html"
    done = run("analyze", folder, "--baseline", "HEAD", "--output", file, "--no-progress", cwd=folder)
    assert done.returncode == 0, done.stderr
    return file


@pytest.fixture(scope="session")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("large") / "report.html"
    file.write_text(page.render(large(), load(), source), encoding="utf-8")
    return file


@pytest.fixture(scope="session")
def axe() -> str:
    if not AXE.is_file():
        subprocess.run([sys.executable, "development/web.py", "--check"], cwd=ROOT, capture_output=True, check=False)
    if not AXE.is_file():
        pytest.skip("there is no Node with the packages of web/: accessibility is not checked")
    return AXE.read_text("utf-8")


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("look", [(1280, "light"), (1280, "dark"), (400, "light"), (400, "dark")])
def test_a_view_is_quiet_accessible_and_as_wide_as_its_window(
    example: Path, opening: Opener, axe: str, view: str, look: tuple[int, str]
) -> None:
    width, theme = look
    opened = opening(example, view, width=width, theme=theme)
    opened.page.evaluate(axe)
    found: Any = opened.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    told = [f"{one['id']}: {one['nodes'][0]['html'][:160]}" for one in found["violations"] if one["impact"] in SERIOUS]
    assert told == []
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
    assert opened.is_quiet(), (opened.said, opened.asked)


def test_the_first_screen_says_what_it_is_and_what_to_do(example: Path, opening: Opener) -> None:
    opened = opening(example)
    facts, first = opened.page.locator(".facts"), opened.page.locator(".first > li")
    expect(facts).to_contain_text("3 agents")
    expect(facts).to_contain_text("Models: gpt-5")
    expect(opened.page.locator(".health .number")).to_have_text("51")
    expect(opened.page.locator(".axes > li")).to_have_count(4)
    assert first.count() == 10
    assert first.first.bounding_box()["y"] < 900, "it begins without scrolling"  # type: ignore[index]
    first.first.get_by_role("button").first.click()
    expect(opened.page.locator(".item.open .details")).to_contain_text("References:")
    opened.page.go_back()
    expect(opened.page.locator(".first")).to_be_visible()
    assert opened.is_quiet(), (opened.said, opened.asked)


def test_the_first_screen_says_what_changed_since_the_baseline(changed: Path, opening: Opener) -> None:
    opened = opening(changed)
    page = opened.page
    card = page.locator("section", has=page.locator("#changes"))
    expect(card).to_contain_text("Since the baseline (HEAD")
    expect(page.get_by_role("heading", name="Fix first, of what is new")).to_be_visible()
    expect(card).to_contain_text("+ tool run support/tools.py:19")
    card.get_by_text("What was fixed").click()
    expect(card.locator("details")).to_contain_text("Code that the model passes runs in the agent's own process (eval)")
    card.get_by_role("button", name="new gap").click()
    expect(page.get_by_label("new only")).to_be_checked()
    found = page.locator(".item")
    assert found.count() > 0
    told = found.all_inner_texts()
    assert all("calculate" not in text for text in told), "what was there before is no news"
    page.get_by_label("new only").click()
    assert page.locator(".item").count() > len(told)
    assert opened.is_quiet(), (opened.said, opened.asked)


def test_the_graph_shows_a_node_with_its_code_and_verdicts(example: Path, opening: Opener) -> None:
    opened = opening(example, "#view=graph")
    shown = opened.page.locator(".node")
    expect(shown).to_have_count(11)
    shown.filter(has_text="calculate").click()
    panel = opened.page.locator(".panel")
    expect(panel).to_contain_text("return str(eval(expression))")
    expect(panel).to_contain_text("Code that the model passes runs in the agent's own process")
    expect(panel.get_by_role("button", name="Refunds")).to_be_visible()
    panel.get_by_role("button", name="Refunds").click()
    expect(panel.locator("h2")).to_have_text("Refunds")
    panel.get_by_role("button", name="Close the details").click()
    expect(panel.locator("h2")).to_have_text("11 nodes")
    assert opened.is_quiet(), (opened.said, opened.asked)


def eye(opened: Any) -> str:
    return str(opened.page.locator("g.eye").get_attribute("transform"))


def test_the_graph_is_moved_zoomed_searched_grouped_and_folded(example: Path, opening: Opener) -> None:
    opened = opening(example, "#view=graph")
    canvas = opened.page.locator(".canvas > svg")
    box = canvas.bounding_box()
    assert box is not None
    seen = [eye(opened)]
    opened.page.get_by_role("button", name="Zoom in").click()
    seen.append(eye(opened))
    opened.page.get_by_role("button", name="Zoom out").click()
    opened.page.get_by_role("button", name="Fit").click()
    opened.page.mouse.move(box["x"] + 40, box["y"] + 40)
    opened.page.mouse.wheel(0, -240)
    opened.page.wait_for_timeout(60)
    seen.append(eye(opened))
    opened.page.mouse.down()
    opened.page.mouse.move(box["x"] + 140, box["y"] + 90)
    opened.page.mouse.up()
    seen.append(eye(opened))
    assert len(set(seen)) == len(seen)
    opened.page.get_by_role("button", name="Fold all").click()
    expect(opened.page.locator(".node.folded")).to_have_count(5)
    opened.page.locator(".node.folded").filter(has_text="support/tools.py").click()
    expect(opened.page.locator(".node.tool")).to_have_count(2)
    opened.page.get_by_role("button", name="Open all").click()
    opened.page.locator("select[name=group]").select_option("framework")
    expect(opened.page.locator(".frame")).to_have_count(3)
    opened.page.locator("select[name=group]").select_option("none")
    expect(opened.page.locator(".frame")).to_have_count(0)
    opened.page.get_by_label("Search").fill("calc")
    expect(opened.page.locator(".node:not(.faint)")).to_have_count(1)
    expect(opened.page.locator(".panel h2")).to_have_text("1 node")
    assert opened.is_quiet(), (opened.said, opened.asked)


def test_the_ways_of_untrusted_text_are_shown_one_by_one(example: Path, opening: Opener) -> None:
    opened = opening(example, "#view=graph")
    opened.page.get_by_role("button", name="Untrusted text to effects (1)").click()
    way = opened.page.locator(".way")
    expect(way).to_contain_text("way 1 of 1")
    expect(way).to_contain_text("Nothing stands on this way.")
    expect(opened.page.locator(".edge.onway")).to_have_count(3)
    way.get_by_role("button", name="Next").click()
    way.get_by_role("button", name="Previous").click()
    expect(way).to_contain_text("way 1 of 1")
    way.get_by_role("button", name="Close").click()
    expect(way).to_have_count(0)
    assert opened.is_quiet(), (opened.said, opened.asked)


def test_the_graph_is_used_by_keys_alone(example: Path, opening: Opener) -> None:
    opened = opening(example, "#view=graph")
    for _ in range(25):
        opened.page.keyboard.press("Tab")
        if opened.page.evaluate("document.activeElement.classList.contains('node')"):
            break
    before = opened.page.evaluate("document.activeElement.dataset.id")
    opened.page.keyboard.press("ArrowRight")
    assert opened.page.evaluate("document.activeElement.dataset.id") != before
    opened.page.keyboard.press("Enter")
    expect(opened.page.locator(".node.chosen")).to_have_count(1)
    seen = eye(opened)
    opened.page.keyboard.press("+")
    assert eye(opened) != seen
    opened.page.keyboard.press("Escape")
    expect(opened.page.locator(".node.chosen")).to_have_count(0)
    assert opened.is_quiet(), (opened.said, opened.asked)


def test_every_filter_narrows_the_list_and_stands_in_the_address(example: Path, opening: Opener) -> None:
    opened = opening(example, "#view=findings")
    rows = opened.page.locator(".item")
    whole = rows.count()
    counts = {}
    for label, value in (("Axis", "safety"), ("Rule", "loop-guard-absence"), ("Framework", "by hand")):
        opened.page.locator(f"select[name={label.lower()}]").select_option(value)
        counts[label] = rows.count()
        opened.page.get_by_role("button", name="Reset").click()
    for label, value in (("Text", "eval"), ("File", "research.py")):
        opened.page.get_by_label(label, exact=True).fill(value)
        opened.page.wait_for_timeout(200)
        counts[label] = rows.count()
        opened.page.get_by_role("button", name="Reset").click()
        opened.page.wait_for_timeout(200)
    for name in ("severity-critical", "confidence-medium"):
        opened.page.locator(f"input[name={name}]").check()
        counts[name] = rows.count()
        opened.page.get_by_role("button", name="Reset").click()
    assert all(0 < count < whole for count in counts.values()), (whole, counts)
    opened.page.locator("input[name=show-controlled]").check()
    assert rows.count() > whole
    expect(opened.page.locator(".outcome.controlled").first).to_be_visible()
    address = opened.page.url
    other = opening(Path(address.removeprefix("file://").partition("#")[0]), "#" + address.partition("#")[2])
    expect(other.page.locator(".item")).to_have_count(rows.count())
    assert opened.is_quiet(), (opened.said, opened.asked)


def test_the_theme_follows_the_system_until_somebody_chooses(example: Path, opening: Opener) -> None:
    opened = opening(example, theme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    system = opened.page.evaluate(ground)
    button = opened.page.get_by_role("button", name="Theme")
    button.click()
    assert opened.page.evaluate(ground) == system
    button.click()
    assert opened.page.evaluate(ground) != system
    button.click()
    expect(button).to_have_text("Theme: auto")
    assert opened.page.evaluate(ground) == system


def test_on_paper_there_are_findings_and_no_controls(example: Path, opening: Opener) -> None:
    opened = opening(example, "#view=findings")
    opened.page.emulate_media(media="print")
    expect(opened.page.locator("nav")).to_be_hidden()
    expect(opened.page.locator(".filters")).to_be_hidden()
    expect(opened.page.locator(".item").first).to_be_visible()


def test_hostile_names_and_lines_stay_text(tmp_path: Path, opening: Opener) -> None:
    file = tmp_path / "report.html"
    file.write_text(page.render(hostile(), load(), hostile_source), encoding="utf-8")
    for view in (*VIEWS, "#view=findings&show=gaps%0Acontrolled&item=1"):
        opened = opening(file, view)
        assert opened.page.evaluate("[window.hacked, document.querySelectorAll('main img, main script').length]") == [
            None,
            0,
        ]
        assert "<img" in opened.page.locator("main").inner_text() or "graph" in view
        assert opened.is_quiet(), (view, opened.said, opened.asked)


def test_a_script_that_got_into_the_page_would_not_run(example: Path, opening: Opener) -> None:
    opened = opening(example)
    opened.page.evaluate("""() => {
        const script = document.createElement('script');
        script.textContent = 'window.hacked = 1';
        document.body.append(script);
    }""")
    assert opened.page.evaluate("window.hacked") is None
    assert any("Content Security Policy" in line for line in opened.said)


def test_five_thousand_subjects_and_three_hundred_nodes_do_not_freeze_it(many: Path, opening: Opener) -> None:
    opened = opening(many, "#view=findings&show=gaps%0Acontrolled%0Aunknown")
    expect(opened.page.locator(".count")).to_contain_text("5000 of 5000")
    session = opened.page.context.new_cdp_session(opened.page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    spent: dict[str, float] = {}

    def worked() -> float:
        return next(
            float(one["value"])
            for one in session.send("Performance.getMetrics")["metrics"]
            if one["name"] == "TaskDuration"
        )

    def measure(what: str, act: Callable[[], object], seen: Callable[[], object]) -> None:
        before = worked()
        act()
        seen()
        spent[what] = worked() - before

    rows, page_of = opened.page.locator(".count"), opened.page
    measure("load", page_of.reload, lambda: expect(rows).to_contain_text("5000 of 5000"))
    measure(
        "filter",
        lambda: page_of.locator("input[name=text]").fill("tool_17 step 4"),
        lambda: expect(rows).not_to_contain_text("5000 of", timeout=QUEUED),
    )
    page_of.get_by_role("button", name="Graph", exact=True).click()
    tools = page_of.locator(".node.tool")
    measure("draw", page_of.get_by_role("button", name="Open all").click, lambda: expect(tools).to_have_count(180))
    measure(
        "choose",
        page_of.locator(".panel .row").first.click,
        lambda: expect(page_of.locator(".chosen")).to_have_count(1),
    )
    assert {what: seconds for what, seconds in spent.items() if seconds > ALLOWED[what]} == {}, spent
    assert opened.is_quiet(), (opened.said, opened.asked)
