"""`NamedTuple` as `typing` has it, made in a tenth of the time: this program has four hundred, and starts often.

`typing` compiles the annotation of each field to an object that nobody here asks for, and each constructor before it is
known that anything will be constructed. To a type checker this is `typing.NamedTuple` itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import NamedTuple as NamedTuple  # noqa: PLC0414 - for others to import
    from typing import Self
else:
    from collections import _tuplegetter as field_at

    _new = tuple.__new__

    class _Row(tuple):
        """What all of them share."""

        __slots__ = ()

        def __new__(cls, /, *values: object, **named: object) -> Self:
            """Construct the first one: the constructor is made now, and takes the place of this."""
            owner = next(kind for kind in cls.__mro__ if "_fields" in kind.__dict__)
            names = "".join(f"{name}, " for name in owner._fields)
            made = eval(f"lambda _cls, {names}: _new(_cls, ({names}))", {"_new": _new})  # noqa: S307 - names of fields
            made.__name__, made.__qualname__ = "__new__", f"{owner.__qualname__}.__new__"
            made.__defaults__ = tuple(owner._field_defaults.values())
            owner.__new__ = staticmethod(made)
            return made(cls, *values, **named)

        @classmethod
        def _make(cls, values: Iterable[object]) -> Self:
            made = _new(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
            return made

        def _replace(self, /, **changes: object) -> Self:
            made = self._make(map(changes.pop, self._fields, self))
            if changes:
                raise TypeError(f"Got unexpected field names: {list(changes)!r}")
            return made

        __replace__ = _replace

        def _asdict(self) -> dict[str, object]:
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self) -> str:
            fields = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
            return f"{type(self).__name__}({fields})"

        def __getnewargs__(self) -> tuple[object, ...]:
            return tuple(self)

    class _Statement(type):
        """What a class statement below `NamedTuple` comes to: a class of rows, and none of this."""

        def __new__(cls, name: str, _: tuple[type, ...], body: dict[str, object]) -> type:
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body[field] for field in fields if field in body}
            columns = {field: field_at(place, None) for place, field in enumerate(fields)}
            own = {"__slots__": (), "_fields": fields, "_field_defaults": defaults, "__match_args__": fields}
            return type(name, (_Row,), body | columns | own)

    _statement = type.__new__(_Statement, "NamedTuple", (), {})

    class _NamedTuple:
        def __mro_entries__(self, _: tuple[object, ...]) -> tuple[type, ...]:
            return (_statement,)

    NamedTuple = _NamedTuple()
