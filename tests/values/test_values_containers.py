"""What stands in lists and dictionaries: what their annotations promise, and what is put into them later."""

from pathlib import Path

from values_project import python, script


def test_an_element_of_an_annotated_container_is_what_the_annotation_promises(tmp_path: Path) -> None:
    text = """
        from typing import Dict, List, Optional
        from lib import Client
        class Worker:
            def work(self):
                return "done"
        class Team:
            workers: Dict[str, Worker]
            others: "dict[str, Worker]"
            clients: dict[str, Client]
            spare: Optional[list[Worker]] = None
            pair: tuple[int, Worker]
            def pick(self, name):
                show(self.workers[name])
                show(self.workers.get(name))
                show([worker for worker in self.workers.values()][0])
                show(self.others[name])
                show(self.clients[name].ask)
                for _, worker in self.workers.items():
                    show(worker)
                for worker in self.spare:
                    show(worker.work())
                show(self.pair[1])
        def each(found: List["Worker"], names: list[str]):
            show(found[0])
            show(names[0])
    """
    unread = "? an element of a list that is not fully readable"
    key = "? an element of a dictionary that is not fully readable"
    assert python(tmp_path, text) == [
        f"{key} | Worker()",
        f"{key} | None | Worker()",
        f"{unread} | {unread} | Worker()",
        f"{key} | Worker()",
        "? the attribute clients of Team",
        f"{unread} | Worker()",
        f"'done' | ? a part of a text | {unread}",
        "Worker()",
        f"{unread} | Worker()",
        "? the caller of each() (parameter names)",
    ]


def test_an_element_of_an_annotated_container_is_what_the_annotation_promises_in_scripts(tmp_path: Path) -> None:
    text = """
        import { Client } from "lib";
        class Worker { work() { return "done"; } }
        class Team {
          private workers: Map<string, Worker>;
          private clients: Record<string, Client>;
          private spare: Worker[];
          pick(name: string) {
            show(this.workers.get(name));
            show(this.clients[name].ask);
            for (const worker of this.spare) show(worker.work());
          }
        }
        function each(found: Array<Worker>, names: string[]) { show(found[0]); show(names[0]); }
    """
    unread = "? an element of a list that is not fully readable"
    key = "? an element of a dictionary that is not fully readable"
    assert script(tmp_path, text) == [
        f"{key} | None | Worker()",
        "? the attribute clients of Team",
        f"'done' | {unread}",
        f"{unread} | Worker()",
        "? the caller of each() (parameter names)",
    ]


def test_what_is_put_under_a_key_that_is_not_readable_may_be_under_any(tmp_path: Path) -> None:
    text = """
        REGISTRY = {"first": 1}
        def register(name, value):
            REGISTRY[name] = 2
        class Shop:
            def __init__(self):
                self.items = {}
            def put(self, name):
                self.items.setdefault(name, 3)
            def take(self, name):
                show(self.items[name])
        def use(name):
            show(REGISTRY[name])
            show(REGISTRY["first"])
            show([value for value in REGISTRY.values()][1])
    """
    unread = "? an element of a dictionary that is not fully readable"
    item = "? an element of a list that is not fully readable"
    assert python(tmp_path, text) == [
        f"3 | {unread}",
        f"1 | 2 | {unread}",
        "1",
        f"1 | 2 | {item} | {item}",
    ]


def test_what_is_put_under_a_key_that_is_not_readable_may_be_under_any_in_scripts(tmp_path: Path) -> None:
    text = """
        const registry = new Map<string, number>();
        export function register(name: string) { registry.set(name, 2); }
        const table: Record<string, number> = { first: 1 };
        export function add(name: string) { table[name] = 3; }
        export function use(name: string) { show(registry.get(name)); show(table[name]); }
    """
    unread = "? an element of a dictionary that is not fully readable"
    assert script(tmp_path, text) == [f"2 | {unread} | None", f"1 | 3 | {unread}"]


def test_an_annotated_container_is_filled_later(tmp_path: Path) -> None:
    text = """
        class Worker:
            def work(self):
                show(1)
        class Team:
            def __init__(self):
                self.workers: dict[str, Worker] = {}
                self.names: list[str] = []
            def add(self, *workers: Worker):
                for worker in workers:
                    show(worker)
                    self.workers[worker.name] = worker
            def pick(self, name):
                show(self.workers[name])
                show(self.names)
    """
    unread = "? an element of a list that is not fully readable"
    key = "? an element of a dictionary that is not fully readable"
    assert python(tmp_path, text) == ["1", f"{unread} | Worker()", f"{key} | {unread} | Worker()", "[]"]


def test_a_list_that_a_library_made_is_joined_to_others(tmp_path: Path) -> None:
    text = """
        from lib import client, one, two
        grown = client.listed()
        grown.append(one)
        begun = [one]
        begun += client.listed()
        for each in grown:
            show(each)
        for each in begun:
            show(each)
        for each in [*client.listed(), two]:
            show(each)
        for each in client.listed() + [two]:
            show(each)
    """
    open_end = "? an element of a list that is not fully readable"
    assert python(tmp_path, text) == [
        f"{open_end} | py:lib.client.listed()[] | py:lib.one",
        f"{open_end} | py:lib.client.listed()[] | py:lib.one",
        f"{open_end} | py:lib.client.listed()[] | py:lib.two",
        f"{open_end} | py:lib.client.listed()[] | py:lib.two",
    ]


def test_what_is_made_by_a_class_of_a_library_is_no_list(tmp_path: Path) -> None:
    text = """
        from lib import Text, one
        text = Text("x")
        text.append(one)
        show(text)
    """
    assert python(tmp_path, text) == ["py:lib.Text()"]


def test_the_next_of_what_is_gone_over_is_any_of_its_elements(tmp_path: Path) -> None:
    text = """
        from lib import other, stream
        class Worker:
            name = "w"
        class Team:
            agents: list[Worker]
            def pick(self, name):
                show(next(agent for agent in self.agents if agent.name == name))
                show(next((each for each in [other]), None))
                show(next(stream()))
        """
    open_end = "? an element of a list that is not fully readable"
    assert python(tmp_path, text) == [
        f"{open_end} | {open_end} | Worker()",
        f"{open_end} | None | py:lib.other",
        "py:lib.stream()[]",
    ]


def test_a_module_s_empty_dictionary_is_filled_by_those_that_it_is_handed_to(tmp_path: Path) -> None:
    text = """
        context = {}
        def load(context):
            context["limit"] = 3
        def main():
            load(context)
            options = {}
            show(context.get("limit", 5))
            show(options.get("limit", 5))
    """
    assert python(tmp_path, text) == ["3", "5"]


def test_a_function_that_says_global_changes_the_name_of_its_module(tmp_path: Path) -> None:
    text = """
        kept = []
        own = []
        def put():
            global kept
            own = []
            kept.append(7)
            own.append(8)
        put()
        def read():
            show(kept[0])
            show(len(own))
        read()
    """
    assert python(tmp_path, text)[0] == "7"


def test_what_a_function_puts_into_what_it_is_handed_is_put_in_by_each_caller_alone(tmp_path: Path) -> None:
    text = """
        def put(items, item):
            items.append({"role": "user", "said": item})
        def put_on(items, item):
            put(items, item)
        def far(items, item):
            put_on(items, item)
        def very_far(items, item):
            far(items, item)
        def copied(items, item):
            items = list(items)
            items.append(item)
        def later(items, item):
            items.append(item)
            yield items
        class Desk:
            def keep(self, items, item):
                items.append(item)
            def work(self):
                mine = [0]
                self.keep(mine, 5)
                show(mine)
        def one():
            first, second, third, fourth = [1], [2], [3], [4]
            put(first, "a")
            put_on(second, "b")
            show(first)
            show(first[1]["said"])
            show(second[1]["said"])
            very_far(third, "c")
            show(third)
            copied(fourth, "d")
            later(fourth, "e")
            show(fourth)
    """
    assert python(tmp_path, text) == [
        "[0, 5]",
        "[1, {role: 'user', said: 'a'}]",
        "'a'",
        "'b'",
        "[3]",
        "[4]",
    ]


def test_what_a_function_puts_into_what_it_is_handed_in_scripts(tmp_path: Path) -> None:
    text = """
        const put = (items: any[], item: any) => { items.push(item); };
        function copied(items: any[], item: any) { items = [...items]; items.push(item); }
        const kept: any[] = [];
        function keep(item: string) { put(kept, item); }
        keep("x");
        function one() {
          const first = [1];
          put(first, 2);
          show(first);
          copied(first, 3);
          show(kept);
        }
    """
    assert script(tmp_path, text) == ["[1, 2]", "['x']"]
