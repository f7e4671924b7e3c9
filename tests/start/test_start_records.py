"""`records.NamedTuple` and `regexes.regex` do what the standard library's do."""

from __future__ import annotations

import copy
import pickle
import re
import typing

import pytest

from agent_architecture.records import NamedTuple
from agent_architecture.regexes import METHODS, regex


class Place(NamedTuple):
    """Where something is."""

    path: str
    line: int = 1

    @property
    def shown(self) -> str:
        return f"{self.path}:{self.line}"


class Known(typing.NamedTuple):
    path: str
    line: int = 1


def test_a_record_is_what_typing_makes() -> None:
    made, known = Place("a.py", line=3), Known("a.py", line=3)
    assert made == known == ("a.py", 3)
    assert hash(made) == hash(known)
    assert repr(made) == repr(known).replace("Known", "Place")
    assert Place("a.py") == Place(path="a.py") == Place._make(["a.py", 1])
    assert made._replace(line=4)._asdict() == known._replace(line=4)._asdict() == {"path": "a.py", "line": 4}
    for name in ("_fields", "_field_defaults", "__match_args__", "__slots__"):
        assert getattr(Place, name) == getattr(Known, name)
    assert (Place.__doc__, Place.__name__, made.shown) == ("Where something is.", "Place", "a.py:3")
    assert Place.__annotations__.keys() == Known.__annotations__.keys()


@pytest.mark.parametrize("values", [(), ("a", 1, 2)])
def test_what_does_not_fit_is_refused(values: tuple[object, ...]) -> None:
    with pytest.raises(TypeError, match="argument"):
        Place(*values)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Place("a", column=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="arguments"):
        Place._make(["a", 1, 2])
    with pytest.raises(TypeError, match="column"):
        Place("a")._replace(column=1)  # type: ignore[call-arg]


def test_a_record_is_copied_and_pickled() -> None:
    place = Place("a.py", 3)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(place, protocol)) == place  # noqa: S301
    again = copy.deepcopy(place)
    assert (again, type(again)) == (place, Place)
    with pytest.raises(AttributeError):
        place.line = 4  # type: ignore[misc]


def test_a_class_below_one_has_its_fields() -> None:
    class Further(Place):
        __slots__ = ()

    assert type(Further("b")) is Further
    assert type(Place("b")) is Place
    assert Further("b").shown == "b:1"


def test_an_expression_answers_as_a_compiled_one() -> None:
    later, made = regex(r"(?P<word>\w)-", re.IGNORECASE), re.compile(r"(?P<word>\w)-", re.IGNORECASE)
    assert later.pattern == made.pattern
    assert not set(METHODS) & vars(later).keys()
    assert later.sub("", "a-b") == made.sub("", "a-b") == "b"
    assert set(METHODS) <= vars(later).keys()
    assert (later.flags, later.groupindex) == (made.flags, made.groupindex)
    assert [found["word"] for found in later.finditer("a-b-")] == ["a", "b"]
    assert regex(rb"a+").fullmatch(b"aa") is not None
