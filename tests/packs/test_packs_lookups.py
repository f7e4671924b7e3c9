"""What the packs answer, tried with small packs written for the test."""

from pathlib import Path

import pytest

from agent_architecture.errors import PackError
from agent_architecture.semantics.packs.addresses import parse_address
from agent_architecture.semantics.packs.packs import Packs, load_packs
from agent_architecture.semantics.packs.rows import VersionedDefault

PACK = """
[framework]
id = "x"
[[package]]
pypi = "x-lib"
modules = ["x", "x.deep"]
verified = "2.0"
[[package]]
npm = "@x/lib"
verified = "1.4"
[[package]]
runtime = "node"
modules = ["fs"]
verified = "24"

[[alias]]
of = "py:x:Graph"
names = ["py:x.deep:Graph"]
[[alias]]
of = "py:x:Graph()"
names = ["py:x:make_graph()"]
[[alias]]
of = "npm:@x/lib:Client"
names = ["npm:@x/lib:default"]
[[alias]]
of = "npm:@x/lib:"
names = ["npm:@x/core:", "npm:@x/lib:x"]

[[entity]]
kind = "run"
call = ["py:x:Graph().{,a}invoke", "npm:@x/lib:Client().run"]
step_limit = "limit | 1"
relations.agent = "self"
when = "step_limit"
[[entity.defaults.step_limit]]
before = "1.10"
value = 25
source = "x/a.py:LIMIT"
[[entity.defaults.step_limit]]
before = "1.9"
value = 5
source = "x/a.py:LIMIT"
[[entity.defaults.step_limit]]
none = true
source = "x/b.py:LIMIT"

[[entity]]
kind = "tool"
decorator = "py:x:tool"
subclass = "py:x:Tool"
method = "_run"
constant.name = "it"

[[setting]]
call = "py:x:Graph().with_config"
step_limit = "0.limit"
[[through]]
call = "py:x:Graph().with_config"
from = "self"
[[through]]
call = "py:x:wrap"
from = "0"
[[mark]]
covers = "retried"
call = "py:x:Retrying"
decorator = "py:x:retry"
subclass = "py:x:Retry"
[[effect]]
effect = "execute_shell"
call = "py:x:sh"
argument = "0"
requires."1.shell" = true
[[effect]]
effect = "execute_process"
call = "py:x:sh"
[[flow]]
kind = "source"
origin = "web"
call = "py:x:get"
[[flow]]
kind = "sanitizer"
effect = "execute_shell"
call = "py:x:quote"
argument = "0"
[[document]]
glob = "x.{yaml,yml}"
kind = "eval_suite"
each = "suites.* | ()"
trials = "repeat"
matches.trajectory = { at = "checks[].type", like = ["trajectory:*"] }
[[fix]]
detector = "loop_guard_absence"
ecosystem = "npm"
text = "run(1)"
"""


@pytest.fixture
def packs(tmp_path: Path) -> Packs:
    (tmp_path / "x.toml").write_text(PACK, "utf-8")
    return load_packs(tmp_path)


@pytest.mark.parametrize(
    ("path", "canonical"),
    [
        ("py:x.deep.Graph().invoke", "py:x.Graph().invoke"),
        ("py:x.make_graph().ainvoke", "py:x.Graph().ainvoke"),
        ("py:x.make_graph", "py:x.make_graph"),
        ("py:x.deep.Graphic", "py:x.deep.Graphic"),
        ("py:x.deep.Graph().with_config().with_config().invoke", "py:x.Graph().invoke"),
        ("py:x.deep.Graph()" + ".with_config()" * 90 + ".invoke", "py:x.Graph().invoke"),
        ("npm:@x/lib:default().run", "npm:@x/lib:Client().run"),
        ("npm:@x/lib:default.Client().run", "npm:@x/lib:Client.Client().run"),
        ("npm:@x/core:Client().run", "npm:@x/lib:Client().run"),
        ("npm:@x/lib:x.Client().run", "npm:@x/lib:Client().run"),
        ("npm:@x/lib:().run", "npm:@x/lib:Client().run"),
        ("npm:fs:default.readFile", "npm:fs:readFile"),
        ("npm:other:default", "npm:other:default"),
        ("npm:other:()", "npm:other:default()"),
        ("py:x.deep.Graph[]().invoke", "py:x.Graph().invoke"),
        ("py:other.Desk[]().run", "py:other.Desk().run"),
        ("py:other.DESKS[]().run", "py:other.DESKS[]().run"),
        ("py:other.Desk().agents[]", "py:other.Desk().agents[]"),
    ],
)
def test_aliases_replace_the_longest_prefix_between_steps_until_none_is_left(
    packs: Packs, path: str, canonical: str
) -> None:
    assert packs.canonical(path) == canonical
    assert packs.canonical(canonical) == canonical


def test_a_call_finds_its_rows_under_every_name(packs: Packs) -> None:
    for path in (
        "py:x.Graph().invoke",
        "py:x.deep.Graph().ainvoke",
        "py:x.make_graph().with_config().invoke",
        "npm:@x/lib:().run",
    ):
        (row,) = packs.entities(path)
        assert (row.kind, row.where.pack, row.where.number) == ("run", "x", 1)
        assert row.properties == {"step_limit": parse_address("limit | 1")}
        assert row.relations == {"agent": parse_address("self")}
        assert row.when == ("step_limit",)
    assert packs.entities("py:x.Graph") == ()


def test_defaults_keep_their_order_versions_and_sources(packs: Packs) -> None:
    (row,) = packs.entities("py:x.Graph().invoke")
    assert row.defaults["step_limit"] == (
        VersionedDefault("1.10", 25, "x/a.py:LIMIT"),
        VersionedDefault("1.9", 5, "x/a.py:LIMIT"),
        VersionedDefault(None, None, "x/b.py:LIMIT"),
    )


def test_decorators_and_base_classes_have_look_ups_of_their_own(packs: Packs) -> None:
    (decorated,) = packs.decorators("py:x.tool")
    (derived,) = packs.subclasses("py:x.Tool")
    assert decorated is derived
    assert decorated.method == "_run"
    assert decorated.constants == {"name": "it"}
    assert packs.entities("py:x.tool") == ()


def test_settings_and_values_that_pass_through_are_found_by_their_call(packs: Packs) -> None:
    (setting,) = packs.settings("py:x.deep.Graph().with_config")
    assert setting.properties == {"step_limit": parse_address("0.limit")}
    assert packs.through("py:x.Graph().with_config") == parse_address("self")
    assert packs.through("py:x.wrap") == parse_address("0")
    assert packs.through("py:x.unwrap") is None


def test_marks_are_found_by_call_decorator_and_base_class(packs: Packs) -> None:
    found = (*packs.marks("py:x.Retrying"), *packs.decorator_marks("py:x.retry"), *packs.subclass_marks("py:x.Retry"))
    assert [row.covers for row in found] == ["retried"] * 3
    assert packs.marks("py:x.retry") == ()


def test_effects_come_in_the_order_of_the_pack_with_what_they_require(packs: Packs) -> None:
    shell, process = packs.effects("py:x.sh")
    assert (shell.effect, shell.argument, shell.requires) == (
        "execute_shell",
        parse_address("0"),
        ((parse_address("1.shell"), (True,)),),
    )
    assert (process.effect, process.argument, process.requires) == ("execute_process", None, ())


def test_flows_name_an_origin_or_an_effect(packs: Packs) -> None:
    (source,) = packs.flows("py:x.get")
    (sanitizer,) = packs.flows("py:x.quote")
    assert (source.kind, source.name, source.argument) == ("source", "web", None)
    assert (sanitizer.kind, sanitizer.name, sanitizer.argument) == ("sanitizer", "execute_shell", parse_address("0"))


def test_documents_say_where_their_entities_stand_and_what_they_must_match(packs: Packs) -> None:
    (row,) = packs.documents
    assert row.glob == ("x.yaml", "x.yml")
    assert row.each == (("suites", "*"), ())
    assert row.properties == {"trials": parse_address("repeat")}
    assert row.matches["trajectory"].at == parse_address("checks[].type")
    assert row.matches["trajectory"].patterns == ("trajectory:*",)


def test_fixes_keep_detector_ecosystem_and_text(packs: Packs) -> None:
    (fix,) = packs.fixes
    assert (fix.detector, fix.ecosystem, fix.text) == ("loop_guard_absence", "npm", "run(1)")


def test_the_last_names_are_the_spellings_that_a_matching_call_can_have(packs: Packs) -> None:
    assert {"invoke", "ainvoke", "run", "tool", "with_config", "wrap", "sh", "get", "retry"} <= packs.last_names
    assert "Graph" not in packs.last_names


def test_names_are_told_apart_by_what_a_call_of_them_is(packs: Packs) -> None:
    names = packs.entity_names(("py:x", "npm:@x/lib"))
    assert {"invoke", "tool"} <= names
    assert not {"sh", "get"} & names
    assert packs.effect_names("execute_shell") == {"sh"}
    assert packs.effect_names("database") == frozenset()


def test_only_what_the_project_imports_is_looked_for_directly_or_through_an_alias(packs: Packs) -> None:
    assert "tool" in packs.entity_names(("py:x",))
    assert "tool" not in packs.entity_names(("npm:@x/lib", "py:y"))
    assert "run" in packs.entity_names(("npm:@x/core",)), "an alias leads from @x/core to @x/lib"


def test_an_effect_may_require_one_of_several_values(tmp_path: Path) -> None:
    row = '[[effect]]\neffect = "write_file"\ncall = "py:y:open"\nrequires."1 | mode" = ["w", "a"]\n'
    (tmp_path / "y.toml").write_text(f'[framework]\nid = "y"\n[[package]]\npypi = "y"\nverified = "1"\n{row}', "utf-8")
    (effect,) = load_packs(tmp_path).effects("py:y.open")
    assert effect.requires == ((parse_address("1 | mode"), ("w", "a")),)


def test_the_last_names_follow_an_alias_of_the_call_itself(tmp_path: Path) -> None:
    rows = '[[entity]]\nkind = "run"\ncall = "py:y:go"\n[[alias]]\nof = "py:y:go"\nnames = ["py:y:start"]\n'
    (tmp_path / "y.toml").write_text(f'[framework]\nid = "y"\n[[package]]\npypi = "y"\nverified = "1"\n{rows}', "utf-8")
    assert load_packs(tmp_path).last_names == {"go", "start"}


def test_versions_are_known_from_what_was_verified_and_from_every_default(packs: Packs) -> None:
    assert packs.newest == {("pypi", "x-lib"): "2.0", ("npm", "@x/lib"): "1.4"}
    assert packs.known[("pypi", "x-lib")] == ("1.9", "1.10", "2.0")


@pytest.mark.parametrize(
    ("path", "package"),
    [
        ("py:x.Graph().invoke", ("pypi", "x-lib")),
        ("py:x.deep.Graph", ("pypi", "x-lib")),
        ("py:xylophone.X", None),
        ("npm:@x/lib/sub/path:X", ("npm", "@x/lib")),
        ("npm:@x/library:X", None),
        ("npm:fs:readFile", ("runtime", "node")),
    ],
)
def test_a_path_belongs_to_the_package_that_its_module_is_imported_from(
    packs: Packs, path: str, package: object
) -> None:
    assert packs.package_of(path) == package


def test_the_words_of_a_pack_are_what_an_import_of_it_contains(packs: Packs) -> None:
    assert {b"from x", b"import x", b'"@x/lib', b"'@x/lib"} <= set(packs.words)


def test_words_that_a_pack_states_replace_the_derived_ones(tmp_path: Path) -> None:
    (tmp_path / "y.toml").write_text(
        '[framework]\nid = "y"\nwords = ["from y"]\n[[package]]\npypi = "y"\nverified = "1"\n', "utf-8"
    )
    assert load_packs(tmp_path).words == (b"from y",)


def test_written_values_are_translated_to_the_words_of_the_vocabulary(tmp_path: Path) -> None:
    header = '[framework]\nid = "y"\n[[package]]\npypi = "y"\nverified = "1"\n'
    header += '[[entity]]\nkind = "code_sink"\ncall = "py:y:X"\n'
    (tmp_path / "y.toml").write_text(
        header + 'isolation = "docker"\nvalues.isolation = { True = "container", false = "none" }\n', "utf-8"
    )
    (row,) = load_packs(tmp_path).entities("py:y.X")
    assert row.values == {"isolation": {"true": "container", "false": "none"}}
    (tmp_path / "y.toml").write_text(header + 'isolation = "docker"\nvalues.isolation = { true = "box" }\n', "utf-8")
    with pytest.raises(PackError, match="isolation = 'box' is unknown"):
        load_packs(tmp_path)


def with_rows(folder: Path, rows: str) -> Packs:
    header = '[framework]\nid = "y"\n[[package]]\npypi = "y"\nverified = "1"\n'
    (folder / "y.toml").write_text(header + rows, "utf-8")
    return load_packs(folder)


def test_an_alias_of_any_member_holds_where_the_member_is_looked_into_and_no_longer_name_fits(tmp_path: Path) -> None:
    any_member = '[[alias]]\nof = "py:y:DB()[]"\nnames = ["py:y:DB().*"]\n'
    longer = '[[alias]]\nof = "py:y:q"\nnames = ["py:y:DB().raw.q"]\n'
    packs = with_rows(tmp_path, any_member + longer)
    assert packs.canonical("py:y.DB().users.find") == "py:y.DB()[].find"
    assert packs.canonical("py:y.DB().close") == "py:y.DB().close"
    assert packs.canonical("py:y.DB().begin().users") == "py:y.DB().begin().users"
    assert packs.canonical("py:y.DB().raw.q") == "py:y.q"


def test_only_the_names_of_an_alias_may_stand_for_any_member(tmp_path: Path) -> None:
    with pytest.raises(PackError, match="stands for any member"):
        with_rows(tmp_path, '[[effect]]\neffect = "database"\ncall = "py:y:DB().*"\n')
