"""How functions see the object that they belong to: `this` in object literals, fields that hold functions."""

from pathlib import Path

from values_project import callers_of, open_program, script


def test_methods_of_object_literals_see_their_object(tmp_path: Path) -> None:
    text = """
        import { Client } from "lib";
        const service = {
          client: new Client(),
          limit: 3,
          run() { show(this.client); return this.limit; },
          again: async function () { return this.run(); },
          get most() { return this.limit; },
        };
        show(await service.again());
        show(service.most);
    """
    assert script(tmp_path, text) == ["npm:lib:Client()", "3", "3"]


def test_an_arrow_function_among_methods_keeps_the_object_around_it(tmp_path: Path) -> None:
    text = """
        class Desk {
          limit = 3;
          tools() { return { look: () => show(this.limit), find() { return () => show(this.limit); }, limit: 5 }; }
        }
    """
    assert script(tmp_path, text) == ["3", "5"]


def test_a_field_that_holds_an_arrow_function_is_a_method(tmp_path: Path) -> None:
    text = """
        class Desk {
          limit = 3;
          run = async (x: number) => { show(x); return this.limit; };
          static make = () => new Desk();
        }
        show(Desk.make().run(8));
    """
    program = open_program(tmp_path, {"a.ts": text})
    assert callers_of(program, "Desk.run") == ["a.ts:6"]
    assert script(tmp_path, text) == ["8", "3"]
