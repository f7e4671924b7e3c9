"""What TypeScript's types promise: aliases, object types, types that are computed, types beside values of one name."""

from pathlib import Path

import pytest
from values_project import python, script, shown

CLIENT = 'import { Client } from "lib";\n'


@pytest.mark.parametrize(
    "types",
    [
        "type Deps = { client: Client; limit?: number };",
        "interface Base { client: Client } type Deps = Base;",
        "type Base = { client: Client }; type Deps = Base & { limit: number };",
        "type Base = { client: Client; limit: number }; type Deps = Partial<Omit<Base, 'limit'>> | undefined;",
        "type Base = { client: Client }; interface Deps extends Omit<Base, 'limit'> { limit: string }",
        "const deps = { client: new Client() }; type Deps = typeof deps;",
        "class Deps { client: Client }",
    ],
)
def test_the_members_of_a_type_are_what_it_says(types: str, tmp_path: Path) -> None:
    assert script(tmp_path, f"{CLIENT}{types}\nfunction f(deps: Deps) {{ show(deps.client); }}") == ["npm:lib:Client()"]


def test_another_name_for_a_class_promises_its_objects(tmp_path: Path) -> None:
    text = """
        class One { go() { return 1; } }
        class Two { go() { return 2; } }
        type First = One;
        type Either = First | Two | undefined;
        function f(first: First, either: Either) { show(first.go()); show(either.go()); }
    """
    assert script(tmp_path, text) == ["1", "1 | 2"]


def test_types_that_are_computed_from_functions(tmp_path: Path) -> None:
    text = """
        import { Client } from "lib";
        class Desk { go() { return 1; } }
        function made() { return new Desk(); }
        async function later() { return new Client(); }
        type Made = ReturnType<typeof made>;
        type Later = Awaited<ReturnType<typeof later>>;
        function f(a: Made, b: Later, c: InstanceType<typeof Desk>) { show(a.go()); show(b.ask()); show(c.go()); }
    """
    assert script(tmp_path, text) == ["1", "npm:lib:Client().ask()", "1"]


def test_a_type_and_a_value_of_one_name_do_not_hide_each_other(tmp_path: Path) -> None:
    files = {
        "order.ts": """
            import { z } from "zod";
            export const Order = z.object({ id: z.string() });
            export type Order = { shop: Shop };
            export class Shop {}
            show(Order.parse(text));
            function f(order: Order) { show(order.shop); }
        """,
        "use.ts": """
            import { Order } from "./order";
            import * as all from "./order";
            show(Order.parse(text));
            function f(order: Order, same: all.Order) { show(order.shop); show(same.shop); }
        """,
    }
    assert shown(tmp_path, files) == [
        "npm:zod:z.object().parse()",
        "Shop()",
        "npm:zod:z.object().parse()",
        *2 * ["Shop()"],
    ]


def test_types_are_found_through_reexports(tmp_path: Path) -> None:
    files = {
        "types.ts": 'import type { Client } from "lib";\nexport type Deps = { client: Client };',
        "index.ts": 'export * from "./types";\nexport type { Deps as Needs } from "./types";',
        "use.ts": """
            import type { Deps, Needs } from "./index";
            import * as all from "./index";
            function f(a: Deps, b: Needs, c: all.Deps) { show(a.client); show(b.client); show(c.client); }
        """,
    }
    assert shown(tmp_path, files) == 3 * ["npm:lib:Client()"]


def test_types_that_are_made_of_themselves_promise_nothing(tmp_path: Path) -> None:
    text = """
        type One = Other;
        type Other = One;
        type Many = Many | Many[];
        function f(one: One, many: Many) { show(one.go()); show(many.go()); }
    """
    assert script(tmp_path, text) == ["? the caller of f() (parameter one)", "? the caller of f() (parameter many)"]


def test_a_method_of_an_interface_is_no_field_that_a_constructor_fills(tmp_path: Path) -> None:
    text = """
        interface Model { ask(text: string): Promise<string> }
        class Big implements Model { async ask(text: string) { return "big"; } }
        class Desk {
          constructor(private readonly model: Model) {}
          go() { show(this.model.ask("?")); }
        }
        new Desk(new Big()).go();
    """
    assert script(tmp_path, text) == ["'big'"]


PROMISED = "npm:lib:Client()"


@pytest.mark.parametrize(
    ("annotation", "expression", "found"),
    [
        ("{ client: Client }", "x.client", PROMISED),
        ("Worker[]", "x[0]", "? an element of a list that is not fully readable | Worker()"),
        ("readonly Worker[]", "x[0]", "? an element of a list that is not fully readable | Worker()"),
        ("Record<string, Worker>", "x[key]", "? an element of a dictionary that is not fully readable | Worker()"),
        (
            "{ [key: string]: Worker }",
            "x.any",
            "? the key 'any' of a dictionary that is not fully readable | Worker()",
        ),
        ("Map<string, Worker[]>", "x.get(key)![0]", "Worker()"),
        ("Maybe<Client>", "x", PROMISED),
        ("Deps['client']", "x", PROMISED),
        ("Parameters<typeof use>[1]", "x", PROMISED),
        ("() => Client", "x()", PROMISED),
        ("Maker", "x(1)", PROMISED),
        ("Factory", "await x.make('a')", PROMISED),
        ("Factory", "x.other()", PROMISED),
    ],
)
def test_what_a_parameter_of_a_type_gives(annotation: str, expression: str, found: str, tmp_path: Path) -> None:
    text = f"""
        import {{ Client }} from "lib";
        class Worker {{}}
        type Maybe<T> = T | null;
        type Deps = {{ client: Client }};
        type Maker = (n: number) => Client;
        interface Factory {{ make(name: string): Promise<Client>; other: () => Client }}
        function use(n: number, client: Client) {{}}
        function f(x: {annotation}, key: string) {{ show({expression}); }}
    """
    assert found in script(tmp_path, text)[0]


def test_a_type_parameter_promises_what_it_extends(tmp_path: Path) -> None:
    text = """
        import { Client } from "lib";
        function f<T extends Client>(x: T) { show(x); }
        class Desk<C extends { client: Client }> {
          constructor(private deps: C) {}
          go() { show(this.deps.client); }
        }
    """
    assert script(tmp_path, text) == [PROMISED, PROMISED]


def test_python_containers_of_objects_promise_them(tmp_path: Path) -> None:
    text = """
        from typing import Mapping, Sequence
        class Client:
            pass
        def f(a: list[Client], b: dict[str, "Client"], c: Mapping[str, Sequence[Client]] | None, d: list[str]):
            show(a[0])
            for one in b.values():
                show(one)
            for name, many in c.items():
                show(many[1])
            show(d[0])
    """
    element = "? an element of a list that is not fully readable | Client()"
    assert python(tmp_path, text) == [element, element, element, "? the caller of f() (parameter d)"]


def test_what_a_function_type_promises_in_python(tmp_path: Path) -> None:
    text = """
        from dataclasses import dataclass
        from typing import Callable, Optional
        from lib import Client
        @dataclass
        class Desk:
            make: Callable[..., Client]
            def open(self):
                show(self.make())
        def f(make: Callable[[str], Client], other: Optional["Callable[[], Client]"], run: Callable):
            show(make("a"))
            show(other())
            show(run())
    """
    made = "py:lib.Client()"
    assert python(tmp_path, text) == [made, made, made, "? the caller of f() (parameter run)"]


def test_a_part_of_a_type_that_leads_back_to_itself_through_an_implementation(tmp_path: Path) -> None:
    """Without an end to it all that was being worked out around it would be lost (vercel/ai, step-result.ts)."""
    text = f"""
        {CLIENT}
        interface Step {{ id: string; client: Client; next: Step }}
        class Plain implements Step {{ id: Step["id"]; client: Step["client"]; next: Step["next"] }}
        function f(step: Step, plain: Plain) {{
          show(step.client); show(plain.client); show(plain.next.client); show(plain.id);
        }}
    """
    *clients, name = script(tmp_path, text)
    assert clients == 3 * ["npm:lib:Client()"]
    assert name.startswith("?")


def test_types_that_name_each_other_over_and_over_are_each_asked_once(tmp_path: Path) -> None:
    """Followed anew at each mention, these would be 3**30 questions."""
    chain = "\n".join(f'type T{n} = Omit<T{n + 1}, "limit"> & T{n + 1} & T{n + 1};' for n in range(30))
    text = f"{CLIENT}{chain}\ntype T30 = {{ client: Client }};\nfunction f(one: T0) {{ show(one.client); }}"
    assert script(tmp_path, text) == ["npm:lib:Client()"]
