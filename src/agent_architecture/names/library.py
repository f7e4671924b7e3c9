"""What the name layer asks of libraries. Who answers, and from what, is not its business."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from agent_architecture.syntax import ir


class Library(Protocol):
    """What the program is told about libraries (the framework packs), without knowing them."""

    def canonical(self, path: str) -> str:
        """The one path of something that a library offers under several."""
        ...

    def passes(self, path: str) -> tuple[tuple[str, ...], ...]:
        """Where what a call of `path` returns comes from (see `names.passed`; alternatives in order); none when it
        makes something new.
        """
        ...

    def makes(self, path: str) -> str | None:
        """Of which class a call of `path` makes an object, where that can be one of the project's own: an argument, or
        `self` for the receiver's; None for any other call.
        """
        ...

    def tells_apart(self, path: str, call: ir.Call) -> tuple[tuple[str, ...], ...]:
        """The arguments of a call of `path` by which what it makes is told apart (an agent's name and tools; what it is
        told to do, where it has no name), each as the steps to it; none for any other call.
        """
        ...

    def holds(self, path: str) -> int | None:
        """Which argument of a generic type says what an attribute of its objects is (`RunContext[Deps]().deps`), from
        0; None for any other attribute.
        """
        ...

    def hands(self, path: str) -> tuple[str, ...]:
        """What a call of `path` hands to a function that it is given: canonical paths, by position."""
        ...

    def runs(self, path: str) -> str:
        """The method that a library's method runs where a subclass writes one: `forward` for `Module().__call__`;
        "" for none.
        """
        ...

    def runs_given(self, path: str) -> tuple[str, ...]:
        """Where the function stands that a method of a library's object runs, in the call that made the object: an
        argument by position or keyword (alternatives in order), `self` for the function that the call decorates; none
        for any other path.
        """
        ...

    def answering(self, name: str) -> frozenset[str]:
        """What decorators of this last name put in the place of a function, where a call of that gives a thing of the
        library: `ask.call()()` for `@ask.call("model")`, whatever the function below it returns.
        """
        ...

    def runners(self, path: str) -> frozenset[str]:
        """The methods of a library's class that run `path` where a subclass writes it."""
        ...
