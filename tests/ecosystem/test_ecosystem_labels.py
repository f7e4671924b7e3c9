"""Labels of real projects: every file in the repository can be read, and mistakes are said with file and entry."""

from __future__ import annotations

from pathlib import Path

import pytest
from ecosystem.labels import FOLDER, Label, LabelError, Place, digest_of, read

FILES = sorted(FOLDER.glob("*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_label_file_names_a_pinned_commit_and_is_called_like_its_repository(path: Path) -> None:
    labels = read(path)
    assert path.stem == labels.repository.replace("/", "__")
    assert len(labels.commit) == 40
    assert len(labels.digest) == 16


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_two_sure_labels_are_the_same_thing(path: Path) -> None:
    seen: dict[tuple[str, str, Place], Label] = {}
    for label in read(path).labels:
        if label.sure:
            assert seen.setdefault((label.kind, label.what, label.places[0]), label) is label, label.places[0]


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "owner__name.toml"
    path.write_text(f'repository = "owner/name"\ncommit = "{"0" * 40}"\nblind = true\n{text}', encoding="utf-8")
    return path


def test_a_site_has_a_kind_a_limit_and_places_and_servers_are_counted_apart(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        '[[site]]\nat = "a.py:3"\nkind = "run"\nlimit = "written 5"\nalso = ["b.py:4"]\n'
        '[[site]]\nat = "c.json:1"\nkind = "mcp_client"\nsure = false\n',
    )
    site, server = read(path).labels
    assert (site.kind, site.places, site.limit, site.sure) == ("site", (("a.py", 3), ("b.py", 4)), "written 5", True)
    assert (server.kind, server.sure) == ("server", False)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[[site]]\nat = "a.py:3"\nkind = "loop"\n', "owner__name.toml: site 1: 'loop' is no kind of site"),
        ('[[tool]]\nname = "x"\n', "owner__name.toml: tool 1: 'at'"),
        ('[[tool]]\nat = "a.py"\n', "owner__name.toml: tool 1: invalid literal"),
        ('colour = "red"\n', "owner__name.toml: nobody reads colour"),
    ],
)
def test_a_mistake_is_one_sentence_with_file_and_entry(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(LabelError) as caught:
        read(written(tmp_path, text))
    assert str(caught.value).startswith(message)


def test_the_digest_changes_with_a_labelled_file_and_with_no_other(tmp_path: Path) -> None:
    labels = read(written(tmp_path, '[[tool]]\nat = "a.py:1"\n'))
    (tmp_path / "a.py").write_text("x = 1\n", encoding="utf-8")
    before = digest_of(labels.repository, labels.paths, tmp_path)
    (tmp_path / "b.py").write_text("y = 1\n", encoding="utf-8")
    assert digest_of(labels.repository, labels.paths, tmp_path) == before
    (tmp_path / "a.py").write_text("x = 2\n", encoding="utf-8")
    assert digest_of(labels.repository, labels.paths, tmp_path) != before


def test_a_labelled_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    labels = read(written(tmp_path, '[[tool]]\nat = "a.py:1"\n'))
    with pytest.raises(LabelError, match=r"owner/name: a\.py is not in "):
        digest_of(labels.repository, labels.paths, tmp_path)
