"""Registries: maps, dictionaries and objects that are filled under keys which nobody can read, and what is gathered."""

from pathlib import Path

from values_project import python, script, shown

CLIENT = "npm:lib:Client()"


def test_a_registry_gives_what_was_put_in(tmp_path: Path) -> None:
    text = """
        import { Client } from "lib";
        class Registry {
          private all = new Map<string, Client>();
          private byName: Record<string, Client> = {};
          constructor(clients: Client[]) { clients.forEach((one) => this.add(one)); }
          add(one: Client) { this.all.set(one.name, one); this.byName[one.name] = one; }
          get(name: string) { show(this.all.get(name)); show(this.byName[name]); }
          each() { for (const [name, one] of this.all) show(one); for (const one of this.all.values()) show(one); }
        }
        new Registry([new Client()]).get("x");
    """
    key = "? the key 'x' of a dictionary that is not fully readable"
    assert script(tmp_path, text) == [
        f"{key} | None | {CLIENT}",
        f"{key} | {CLIENT}",
        f"? a pair of a map that is not fully readable | {CLIENT}",
        f"? an element of a list that is not fully readable | {CLIENT}",
    ]


def test_a_registry_gives_what_was_put_in_in_python(tmp_path: Path) -> None:
    text = """
        from lib import Client, Other
        class Registry:
            def __init__(self, clients):
                self.all = {}
                self.named = {one.name: one for one in clients}
                for one in clients:
                    self.add(one)
            def add(self, one):
                self.all[one.name] = one
            def get(self, name):
                show(self.all[name])
                show(self.named.get(name))
                for key, one in self.named.items():
                    show(one)
        Registry([Client()]).get("x")
        options = {"a": 1}
        options.setdefault("a", 2)
        options.setdefault("b", 3)
        show((options["a"], options["b"]))
        show(options.items)
    """
    key = "? the key 'x' of a dictionary that is not fully readable"
    assert python(tmp_path, text) == [
        f"{key} | py:lib.Client()",
        f"{key} | None | py:lib.Client()",
        "? an element of a list that is not fully readable | py:lib.Client()",
        "[1, 3]",
        "undefined",
    ]


def test_tables_are_made_of_pairs(tmp_path: Path) -> None:
    text = """
        const table = new Map([["a", 1], ["b", 2]]);
        show(table.get("a"));
        for (const [name, size] of table) show([name, size]);
        show(Object.fromEntries([["c", 3]]).c);
        const empty = new Map();
        empty.set("d", 4);
        show(empty.get("d"));
    """
    assert script(tmp_path, text) == ["1", "['a' | 'b', 1 | 2]", "3", "4"]


def test_what_is_awaited_together_comes_in_order(tmp_path: Path) -> None:
    text = """
        import { Client } from "lib";
        async function one() { return new Client(); }
        async function two() { return 2; }
        const [client, size] = await Promise.all([one(), two()]);
        show(client);
        show(size);
        show(await Promise.race([one(), two()]));
    """
    assert script(tmp_path, text) == [CLIENT, "2", f"2 | {CLIENT}"]


def test_what_is_awaited_together_comes_in_order_in_python(tmp_path: Path) -> None:
    text = """
        import asyncio
        from lib import Client
        async def one():
            return Client()
        def two():
            return 2
        async def main():
            client, size = await asyncio.gather(one(), asyncio.to_thread(two))
            show(client)
            show(size)
            task = asyncio.create_task(one())
            show(await asyncio.wait_for(task, 5))
        show(asyncio.run(one()))
    """
    assert python(tmp_path, text) == ["py:lib.Client()", "2", "py:lib.Client()", "py:lib.Client()"]


def test_the_rest_of_a_destructuring_is_what_is_left(tmp_path: Path) -> None:
    text = """
        const { a, ...others } = { a: 1, b: 2 };
        show(others);
        const [first, ...more] = [1, 2, 3];
        show(more);
        function f({ a, ...rest }) { show(rest.b); show(rest.a); }
        f({ a: 1, b: 5 });
    """
    assert script(tmp_path, text) == ["{b: 2}", "[2, 3]", "5", "undefined"]


def test_an_object_that_its_class_keeps_is_found(tmp_path: Path) -> None:
    text = """
        class Desk {
          private static one: Desk | null = null;
          static tools: number[] = [];
          limit = 7;
          static get() { if (!Desk.one) { Desk.one = new Desk(); } return Desk.one; }
          static add(n: number) { Desk.tools.push(n); }
        }
        show(Desk.get().limit);
        Desk.add(3);
        show(Desk.tools);
    """
    assert script(tmp_path, text) == ["7 | undefined", "[3]"]


def test_a_class_out_of_a_table_is_made_with_what_the_call_says(tmp_path: Path) -> None:
    text = """
        from lib import Client
        class Plain:
            def __init__(self, link, client=None):
                self.client = client
            def read(self):
                show(self.client)
        class Loud(Plain):
            pass
        class Quiet:
            def __init__(self, link, client):
                show(client)
        READERS = {"plain": Plain, "loud": Loud}
        def pick(kind):
            table = {"quiet": Quiet}
            found = table.get(kind)
            return found
        def read(kind, link, client):
            READERS[kind](link, client).read()
            Reader = pick(kind)
            Reader(link, client)
        read(input(), "x", Client())
    """
    assert python(tmp_path, text) == ["py:lib.Client()", "py:lib.Client()"]


def test_a_class_that_only_a_dotted_name_names_is_found(tmp_path: Path) -> None:
    files = {
        "app/__init__.py": "",
        "app/one.py": "class One:\n    def ask(self):\n        return 1",
        "app/two.py": "class Two:\n    def ask(self):\n        return 2",
        "app/plugin.py": "def start():\n    return 3",
        "main.py": """
            import importlib
            PLACES = {"one": "app.one.One", "two": "app.two.Two", "lib": "lib.Client"}
            PAIRS = {"one": ("app.one", "One"), "two": ("app.two", "Two")}
            def find(path):
                place, name = path.rsplit(".", 1)
                return getattr(importlib.import_module(place), name)
            def pick(kind):
                place, name = PAIRS[kind]
                return getattr(importlib.import_module(place), name)
            def work(kind, path):
                show(find(PLACES[kind])().ask())
                show(find(PLACES.get(kind, path)))
                show(pick(kind)().ask())
            work(input(), input())
            show(importlib.import_module("app." + "plugin").start())
            show(importlib.import_module(""))
        """,
    }
    unread = "? a module whose name is not readable"
    assert shown(tmp_path, files) == [
        f"1 | 2 | {unread}",
        f"{unread} | class One | class Two",
        "1 | 2",
        "3",
        "? a module of another package",
    ]


def test_a_copy_of_a_table_with_its_texts_filled_in_is_that_of_its_call(tmp_path: Path) -> None:
    text = """
        HANDS = {"cook": {"role": "Cook", "most": 3}, "waiter": {"role": "Waiter"}}
        def filled(table, words):
            if isinstance(table, dict):
                made = {}
                for key, value in table.items():
                    if isinstance(value, str):
                        try:
                            made[key] = value.format(**words)
                        except KeyError:
                            made[key] = value
                    elif isinstance(value, dict):
                        made[key] = filled(value, words)
                    else:
                        made[key] = value
                return made
            return table
        def trimmed(table):
            return {key: value.strip() if isinstance(value, str) else value for key, value in table.items()}
        def doubled(table):
            return {key: value * 2 for key, value in table.items()}
        def noted(table, more):
            made = {}
            for key, value in table.items():
                made[key] = value
            made["most"] = more
            return made
        show(filled(HANDS["cook"], {}))
        show(filled(HANDS.get("waiter"), {})["role"])
        show(trimmed(HANDS["cook"]))
        show(trimmed(HANDS["waiter"]))
        show(doubled(HANDS["cook"])["most"])
        show(noted(HANDS["cook"], 9)["most"])
    """
    assert python(tmp_path, text) == [
        "{role: 'Cook', most: 3}",
        "'Waiter'",
        "{role: 'Cook', most: 3}",
        "{role: 'Waiter'}",
        "6 | ? a computed value | ? the key 'most' of a dictionary that is not fully readable",
        "9",
    ]


def test_a_copy_of_an_object_with_its_texts_filled_in_is_that_of_its_call(tmp_path: Path) -> None:
    text = """
        const hands = { cook: { role: "Cook", most: 3 }, waiter: { role: "Waiter", most: 5 } };
        function filled(table: Record<string, any>, words: Record<string, string>) {
          const made: Record<string, any> = {};
          for (const [key, value] of Object.entries(table)) {
            made[key] = typeof value === "string" ? value.replaceAll("{house}", words.house) : value;
          }
          return made;
        }
        function doubled(table: Record<string, any>) {
          const made: Record<string, any> = {};
          for (const [key, value] of Object.entries(table)) made[key] = value * 2;
          return made;
        }
        show(filled(hands.cook, {}).most);
        show(filled(hands.waiter, {}).role);
        show(doubled(hands.waiter).most);
    """
    assert script(tmp_path, text)[:2] == ["3", "'Waiter'"]
    assert "5" not in script(tmp_path, text)[2]


def test_a_table_that_a_function_gives_back_is_that_of_its_call(tmp_path: Path) -> None:
    text = """
        HANDS = {"cook": {"role": "Cook"}, "waiter": {"role": "Waiter"}}
        class House:
            def dressed(self, table):
                if self.dress is not None:
                    table["dress"] = "white"
                return table
            def cook(self):
                show(self.dressed(HANDS["cook"])["role"])
            def waiter(self):
                table = self.dressed(dict(HANDS["waiter"]))
                show(table["role"])
                show(table["dress"])
        def other(table):
            table = {**table, "role": "Guest"}
            return table
        show(other(HANDS["cook"])["role"])
    """
    assert python(tmp_path, text) == ["'Cook'", "'Waiter'", "'white'", "'Guest'"]
