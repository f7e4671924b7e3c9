"""What answers rest on: where answers are kept, each knows the files and the names of indexes that were read for it."""

from __future__ import annotations

from agent_architecture.names.memory import Kind, Memory
from agent_architecture.names.rests import Rests


def test_nothing_has_a_bit_where_no_answers_are_kept() -> None:
    rests = Rests()
    assert (rests.of("a.py"), rests.named("call", "run"), rests.everything) == (0, 0, 0)


def test_each_file_has_a_bit_of_its_own_and_none_of_a_name() -> None:
    rests = Rests(is_kept=True)
    bits = [rests.of("a.py"), rests.of("b.py"), rests.everything, *(rests.named("call", f"n{i}") for i in range(99))]
    assert rests.of("a.py") == bits[0]
    assert not bits[0] & bits[1]
    assert not any(file & other for file in bits[:2] for other in bits[2:])


def _asking(memory: Memory, rests: Rests, leads: dict[str, tuple[str, ...]]) -> Kind:
    """Questions named by letters: each reads the file of its name, and asks those that it leads to."""

    def work(subject: str) -> tuple[str, ...]:
        rests.read |= rests.of(subject)
        found = {subject, *(part for other in leads[subject] for part in memory.ask(other, other, kind))}
        return tuple(sorted(found))

    kind = Kind(
        work, (), lambda found: found, lambda _subject, _why: (), lambda _, one, other: (*one, *other),
        lambda subject: (subject,), lambda found: found,
    )  # fmt: skip
    return kind


def test_an_answer_rests_on_all_that_was_read_for_it_and_those_of_a_circle_on_the_same() -> None:
    rests = Rests(is_kept=True)
    memory = Memory(rests)
    leads = {"a": ("b", "e"), "b": ("c",), "c": ("b", "d"), "d": (), "e": ()}
    kind = _asking(memory, rests, leads)
    assert memory.ask("e", "e", kind) == ("e",)
    assert memory.ask("a", "a", kind) == ("a", "b", "c", "d", "e")
    on = {key: {name for name in leads if known[2] & rests.of(name)} for key, known in memory.final.items()}
    assert on == {"a": {"a", "b", "c", "d", "e"}, "b": {"b", "c", "d"}, "c": {"b", "c", "d"}, "d": {"d"}, "e": {"e"}}
    assert rests.read == memory.final["a"][2] | memory.final["e"][2]
