"""`./dev explain`: a line of a page's block is that of the file which the block is; the section is its project."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "development" / "explain.py"
PAGE = """\
# A page

## Gaps

`tools.py`:

```python
def load(kind):
    return [open(kind)]
```

```python
import tools
import plugins

print([*tools.load("a"), plugins.find()])
```
"""


def run(place: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPT), place], capture_output=True, text=True, check=False, timeout=120
    )


def test_a_line_of_a_block_is_explained_beside_the_other_blocks_of_its_section(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text(PAGE, encoding="utf-8")
    line = PAGE.split("\n").index('print([*tools.load("a"), plugins.find()])') + 1
    done = run(f"{tmp_path / 'page.md'}:{line}")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("main.py:4  python, app")
    assert "answer of open (tools.py:2)" in done.stdout
    assert "argument 1  list of 2 (main.py:4)" in done.stdout
    assert "[1]  library py:plugins.find()" in done.stdout


def test_an_unknown_value_says_where_its_trail_ends(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("import sys\n\n\ndef told(x):\n    return x / 2\n\n\nprint(told(3))\n", "utf-8")
    done = run(f"{tmp_path / 'main.py'}:8")
    assert "argument 1  unknown: it comes from a computed value (main.py:5)" in done.stdout


def test_a_line_outside_of_the_blocks_is_refused(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text(PAGE, encoding="utf-8")
    done = run(f"{tmp_path / 'page.md'}:1")
    assert (done.returncode, done.stdout) == (2, "")
    assert "stands in no block of code" in done.stderr
