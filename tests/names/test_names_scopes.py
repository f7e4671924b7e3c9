"""What a scope binds, in both languages."""

from pathlib import Path

from names_project import binding_text, open_project

from agent_architecture.names.scopes import attribute_bindings, bindings, enclosing_scopes, scope_at
from agent_architecture.syntax import ir


def module_of(folder: Path, text: str, name: str = "a.py") -> tuple[ir.Module, bytes]:
    project = open_project(folder, {name: text})
    file = project.table.file(name)
    assert file is not None
    return project.module(name), file.data


def function(module: ir.Module, qualname: str) -> ir.Function:
    return next(found for found in module.index.functions if found.qualname == qualname)


def texts(scope: ir.Scope, name: str, data: bytes | None = None) -> list[str]:
    return [binding_text(binding) for binding in bindings(scope, data).get(name, ())]


def at_top(folder: Path, text: str, name: str, file: str = "a.py") -> list[str]:
    module, data = module_of(folder, text, file)
    return texts(module, name, data)


def in_function(folder: Path, text: str, name: str, file: str = "a.py") -> list[str]:
    module, _ = module_of(folder, text, file)
    return texts(function(module, "f"), name)


# -------------------------------------------------------------------------------------------------------------- Python
def test_every_assignment_of_a_name_is_an_alternative_in_source_order(tmp_path: Path) -> None:
    text = """
        x = 1
        if y:
            x = 2
        else:
            x: int = 3
        try:
            x = 4
        except E:
            x = 5
        x += 6
    """
    expected = ["assign 1 1", "assign 3 2", "assign 5 3", "assign 7 4", "assign 9 5", "augmented 10 6"]
    assert at_top(tmp_path, text, "x") == expected


def test_an_annotation_without_value_binds_without_one(tmp_path: Path) -> None:
    assert at_top(tmp_path, "x: int", "x") == ["assign 1"]


def test_destructuring_says_how_each_name_is_taken_out(tmp_path: Path) -> None:
    text = "a, (b, *c), d = f()"
    taken = {name: at_top(tmp_path, text, name) for name in "abcd"}
    assert taken == {
        "a": ["assign 1 [0] (call f)"],
        "b": ["assign 1 [1][0] (call f)"],
        "c": ["assign 1 [1]...0 (call f)"],
        "d": ["assign 1 [2] (call f)"],
    }


def test_items_after_a_starred_one_are_counted_from_the_end(tmp_path: Path) -> None:
    assert at_top(tmp_path, "a, *b, c, d = f()", "c") == ["assign 1 [-2] (call f)"]


def test_a_loop_target_is_an_element_of_its_source(tmp_path: Path) -> None:
    assert at_top(tmp_path, "for k, v in items:\n    pass", "v") == ["loop 1 [][1] items"]


def test_a_comprehension_target_is_an_element_too(tmp_path: Path) -> None:
    assert at_top(tmp_path, "y = [x for x in xs]", "x") == ["loop 1 [] xs"]


def test_a_with_statement_binds_each_of_its_targets(tmp_path: Path) -> None:
    text = "with open(p) as a, pair() as (b, c):\n    pass"
    assert at_top(tmp_path, text, "a") == ["with 1 (call open p)"]
    assert at_top(tmp_path, text, "c") == ["with 1 [1] (call pair)"]


def test_a_handler_binds_its_exception(tmp_path: Path) -> None:
    assert at_top(tmp_path, "try:\n    pass\nexcept ValueError as e:\n    pass", "e") == ["handler 1 ValueError"]


def test_a_walrus_binds_in_the_scope_around_the_expression(tmp_path: Path) -> None:
    assert at_top(tmp_path, "if (n := size()) > 3:\n    pass", "n") == ["assign 1 (call size)"]


def test_match_captures_are_parts_of_the_subject(tmp_path: Path) -> None:
    text = """
        match event:
            case {"kind": kind}:
                pass
            case [first, *rest]:
                pass
            case Event(name=name):
                pass
            case other:
                pass
    """
    taken = {name: at_top(tmp_path, text, name) for name in ("kind", "first", "rest", "name", "other", "Event")}
    assert taken == {
        "kind": ["pattern 1 .kind event"],
        "first": ["pattern 1 [0] event"],
        "rest": ["pattern 1 ...0 event"],
        "name": ["pattern 1 .name event"],
        "other": ["pattern 1 event"],
        "Event": [],
    }


def test_a_match_alias_is_the_whole_of_what_its_pattern_matches(tmp_path: Path) -> None:
    text = "match event:\n    case [Event() as first, _]:\n        pass"
    assert at_top(tmp_path, text, "first") == ["pattern 1 [0] event"]
    assert at_top(tmp_path, text, "_") == []


def test_imports_bind_their_aliases_or_their_top_package(tmp_path: Path) -> None:
    module, _ = module_of(tmp_path, "import a.b\nimport c.d as e\nfrom f import g as h\nfrom i import *")
    table = bindings(module)
    assert {name: [binding.kind for binding in group] for name, group in table.items()} == {
        "a": ["import"],
        "e": ["import"],
        "h": ["import"],
        "*": ["import"],
    }
    extra = table["h"][0].extra
    assert isinstance(extra, ir.ImportedName)
    assert extra.name == "g"
    assert table["a"][0].extra is None


def test_functions_and_classes_bind_their_names_where_they_stand(tmp_path: Path) -> None:
    module, _ = module_of(tmp_path, "def f():\n    def inner(): pass\nclass C:\n    def m(self): pass\ng = lambda h: h")
    assert sorted(bindings(module)) == ["C", "f", "g"]
    assert texts(function(module, "f"), "inner")[0].startswith("function 2")


def test_parameters_come_first_with_their_defaults(tmp_path: Path) -> None:
    text = "def f(a, b=1, *c, **d):\n    b = 2"
    assert in_function(tmp_path, text, "a") == ["parameter 1"]
    assert in_function(tmp_path, text, "b") == ["parameter 1 1", "assign 2 2"]
    module, _ = module_of(tmp_path, text)
    kinds = [
        b.extra.kind for n in "cd" for b in bindings(function(module, "f"))[n] if isinstance(b.extra, ir.Parameter)
    ]
    assert kinds == ["*", "**"]


def test_a_global_name_belongs_to_the_module_which_learns_what_the_function_assigns(tmp_path: Path) -> None:
    text = """
        client = None

        def f():
            global client, late
            client = make()
            late = 2
    """
    assert in_function(tmp_path, text, "client") == ["global 4"]
    assert at_top(tmp_path, text, "client") == ["assign 1 null", "written 5 (call make)"]
    assert at_top(tmp_path, text, "late") == ["written 6 2"]


def test_a_nonlocal_name_belongs_to_the_function_around(tmp_path: Path) -> None:
    text = """
        def f():
            count = 0
            def step():
                nonlocal count
                count += 1
            return step
    """
    assert in_function(tmp_path, text, "count") == ["assign 2 0", "written 5 1"]
    assert at_top(tmp_path, text, "count") == []


def test_a_local_variable_of_a_function_is_not_the_modules(tmp_path: Path) -> None:
    assert at_top(tmp_path, "x = 1\ndef f():\n    x = 2", "x") == ["assign 1 1"]


def test_what_stands_around_a_broken_definition_is_still_bound(tmp_path: Path) -> None:
    text = "def f(:\n    pass\ny = 2\n"
    assert at_top(tmp_path, text, "y") == ["assign 3 2"]
    assert [found[:10] for found in at_top(tmp_path, text, "f")] == ["function 1"]


# ---------------------------------------------------------------------------------------------------------- JavaScript
def test_object_and_array_patterns_say_how_names_are_taken_out(tmp_path: Path) -> None:
    text = "const { a, b: { c }, ...rest } = f(); const [d, , e = 5, ...more] = g();"
    taken = {name: at_top(tmp_path, text, name, "a.ts") for name in ("a", "c", "rest", "d", "more")}
    assert taken == {
        "a": ["assign 1 .a (call f)"],
        "c": ["assign 1 .b.c (call f)"],
        "rest": ["assign 1 ...a,b (call f)"],
        "d": ["assign 1 [0] (call g)"],
        "more": ["assign 1 ...0,1,2 (call g)"],
    }


def test_a_default_in_a_pattern_is_an_alternative(tmp_path: Path) -> None:
    assert at_top(tmp_path, "const { a = 5 } = f();", "a", "a.ts") == ["assign 1 .a (call f)", "assign 1 5"]


def test_a_destructured_parameter_binds_its_parts_and_their_defaults(tmp_path: Path) -> None:
    text = "function f({ limit = 5, model }: Options) {}"
    assert in_function(tmp_path, text, "limit", "a.ts") == ["parameter 1 .limit", "assign 1 5"]
    assert in_function(tmp_path, text, "model", "a.ts") == ["parameter 1 .model"]


def test_block_scoped_names_are_alternatives_in_their_function(tmp_path: Path) -> None:
    text = "function f() { let x = 1; if (y) { let x = 2; } for (const z of zs) {} }"
    assert in_function(tmp_path, text, "x", "a.ts") == ["assign 1 1", "assign 1 2"]
    assert in_function(tmp_path, text, "z", "a.ts") == ["loop 1 [] zs"]


def test_a_function_expression_does_not_bind_its_own_name_outside(tmp_path: Path) -> None:
    module, _ = module_of(tmp_path, "const a = function named() {}; run(function other() {});", "a.js")
    assert sorted(bindings(module)) == ["a"]


def test_a_switch_compares_and_does_not_capture(tmp_path: Path) -> None:
    assert at_top(tmp_path, "switch (kind) { case START: break; }", "START", "a.ts") == []


def test_an_import_binds_default_named_and_namespace(tmp_path: Path) -> None:
    module, _ = module_of(
        tmp_path, 'import d, { n as m } from "a"; import * as ns from "b"; const r = require("c");', "a.ts"
    )
    names = {name: group[0].extra for name, group in bindings(module).items()}
    assert {name: extra.name for name, extra in names.items() if isinstance(extra, ir.ImportedName)} == {
        "d": "default",
        "m": "n",
    }
    assert names["ns"] is None
    assert isinstance(bindings(module)["r"][0].value, ir.Import)


def test_an_assignment_without_declaration_belongs_to_an_outer_scope(tmp_path: Path) -> None:
    text = """
        let client;
        let count = 0;
        export async function f() {
          client ??= await connect();
          count++;
          const own = 1;
        }
    """
    assert in_function(tmp_path, text, "client", "a.ts") == ["global 4"]
    assert in_function(tmp_path, text, "own", "a.ts") == ["assign 6 1"]
    assert at_top(tmp_path, text, "client", "a.ts") == ["assign 1", "written 4 (await (call connect))"]
    assert at_top(tmp_path, text, "count", "a.ts") == ["assign 2 0", "written 5 1"]


def test_a_closure_writes_to_the_nearest_function_that_declares_the_name(tmp_path: Path) -> None:
    text = """
        let x = 0;
        function f() {
          let x = 1;
          const set = () => { x = 2; };
        }
    """
    assert in_function(tmp_path, text, "x", "a.ts") == ["assign 3 1", "written 4 2"]
    assert at_top(tmp_path, text, "x", "a.ts") == ["assign 1 0"]


# -------------------------------------------------------------------------------------------------------------- around
def test_the_scopes_around_a_method_leave_out_its_class(tmp_path: Path) -> None:
    module, _ = module_of(tmp_path, "def f():\n    class C:\n        def m(self):\n            def inner(): pass\n")
    inner = function(module, "f.C.m.inner")
    around = [scope.qualname for scope in enclosing_scopes(inner)]
    assert around == ["f.C.m", "f", ""]
    assert [scope.qualname for scope in enclosing_scopes(module.index.classes[0])] == ["f", ""]
    assert enclosing_scopes(module) == ()


PLACES = """
@decorated(1)
class C(Base[2], key=3):
    field = 4

    @decorated(5)
    def m(self, a: 6 = 7, b=lambda: 8) -> 9:
        x = 10
        return lambda: 11

top = 12
"""


def test_a_place_belongs_to_the_innermost_scope_but_headers_to_the_one_around(tmp_path: Path) -> None:
    module, _ = module_of(tmp_path, PLACES)
    numbers: dict[int, str] = {}
    scopes: list[ir.Scope] = [module, *module.index.classes, *module.index.functions]
    for scope in scopes:
        headers: list[ir.Node] = []
        if isinstance(scope, ir.Class):
            headers = [*scope.decorators, *scope.bases, *(argument.value for argument in scope.parts.keywords)]
        elif isinstance(scope, ir.Function):
            parts = [part for param in scope.params for part in (param.default, param.annotation)]
            headers = [*scope.decorators, *(part for part in (*parts, scope.returns) if part is not None)]
        for node in ir.walk(*scope.body, *headers):
            if isinstance(node, ir.Literal) and isinstance(node.value, int):
                numbers[node.value] = scope_at(module, node.span).qualname
    in_class = dict.fromkeys((4, 5, 6, 7, 9), "C")
    assert numbers == {1: "", 2: "", 3: "", 12: "", **in_class, 8: numbers[8], 10: "C.m", 11: numbers[11]}
    assert "lambda" in numbers[8]
    assert "lambda" in numbers[11]


def test_every_node_of_a_scopes_body_is_found_in_that_scope(tmp_path: Path) -> None:
    for name, text in (
        ("a.py", PLACES),
        ("b.ts", "class C { x = 1; m(a = 2) { return () => this.x + 3; } }\nf(() => 4);"),
    ):
        module, _ = module_of(tmp_path, text, name)
        scopes: list[ir.Scope] = [module, *module.index.classes, *module.index.functions]
        for scope in scopes:
            for node in ir.walk(*scope.body):
                if isinstance(node, (ir.Literal, ir.Name)):
                    assert scope_at(module, node.span) is scope


# ---------------------------------------------------------------------------------------------------------- attributes
def attributes(folder: Path, text: str, file: str = "a.py") -> dict[str, list[str]]:
    module, _ = module_of(folder, text, file)
    table = attribute_bindings(module.index.classes[0])
    return {name: [binding_text(b) for b in group] for name, group in table.items() if group[0].kind != "function"}


def test_attributes_come_from_the_class_body_then_the_constructor_then_other_methods(tmp_path: Path) -> None:
    text = """
        class C:
            limit = 1
            def reset(self):
                self.limit = 2
            def __init__(self, model):
                self.limit = 3
                self.model: Model = model
                self.a, self.b = pair()
            @classmethod
            def set(cls):
                cls.shared = 4
    """
    assert attributes(tmp_path, text) == {
        "limit": ["assign 2 1", "assign 6 3", "assign 4 2"],
        "model": ["assign 7 model"],
        "a": ["assign 8 [0] (call pair)"],
        "b": ["assign 8 [1] (call pair)"],
        "shared": ["assign 11 4"],
    }


def test_methods_are_attributes_and_locals_of_methods_are_not(tmp_path: Path) -> None:
    module, _ = module_of(tmp_path, "class C:\n    def m(self):\n        local = 1\n        other.x = 2\n")
    assert sorted(attribute_bindings(module.index.classes[0])) == ["m"]


def test_fields_parameter_properties_and_closures_of_a_typescript_class_are_attributes(tmp_path: Path) -> None:
    text = """
        class C {
          limit = 1;
          constructor(private model: Model) {
            this.late = 2;
            onReady(() => { this.inner = 3; });
          }
        }
    """
    found = attributes(tmp_path, text, "a.ts")
    assert found == {"limit": ["assign 2 1"], "model": found["model"], "late": ["assign 4 2"], "inner": ["assign 5 3"]}
    assert found["model"][0].endswith("model")
