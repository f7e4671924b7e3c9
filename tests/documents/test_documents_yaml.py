"""YAML: values, spans, anchors, tags, and what broken or hostile text leaves."""

from __future__ import annotations

import yaml
from documents_read import cut, entry, key, messages, read, value_of, value_of_document
from hypothesis import given
from hypothesis import strategies as st

from agent_architecture.syntax import ir

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
keys = st.text() | st.integers()
values = st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(keys, inner), max_leaves=20)


@given(values, st.sampled_from([True, False, None]), st.booleans(), st.sampled_from([None, '"', "'", "|"]))
def test_reads_every_value_as_pyyaml_does(value: object, flow: bool | None, unicode: bool, style: str | None) -> None:
    text = yaml.safe_dump(value, default_flow_style=flow, allow_unicode=unicode, default_style=style)
    module = read("yaml", text)
    assert [value_of_document(node) for node in module.body] == [yaml.safe_load(text)]
    assert module.notices == ()


@given(values, st.booleans())
def test_every_scalars_span_cuts_out_its_text(value: object, unicode: bool) -> None:
    text = yaml.safe_dump(value, allow_unicode=unicode, width=1_000_000)
    for node in ir.walk(*read("yaml", text).body):
        if isinstance(node, ir.Literal) and "\n" not in cut(text, node.span):
            assert yaml.safe_load(cut(text, node.span)) == node.value


def test_spans_cut_keys_and_values_out_of_the_text() -> None:
    text = """\
# crew
researcher:
  rôle: &who !!str Señior 😀  # comment
  goal: >
    Find
    things

  tools: [a, "b c"]
other:
- x: 1
  y: *who
"""
    (root,) = read("yaml", text).body
    assert cut(text, root.span) == text[7:-1]
    agent = entry(root, "researcher")
    assert cut(text, key(root, "researcher").span) == "researcher"
    assert cut(text, entry(agent, "rôle").span) == "Señior 😀"
    assert cut(text, entry(agent, "goal").span) == ">\n    Find\n    things"
    assert cut(text, entry(agent, "tools").span) == '[a, "b c"]'
    assert cut(text, entry(agent, "tools", 1).span) == '"b c"'
    assert cut(text, agent.span).startswith("rôle")
    assert cut(text, agent.span).endswith('"b c"]')
    assert cut(text, entry(root, "other").span) == "- x: 1\n  y: *who"


def test_lines_are_counted_at_line_feeds_only() -> None:
    text = 'a: "x\u2028y"\r\nb: 1\r\n'
    (root,) = read("yaml", text).body
    assert entry(root, "b").span.line == 2
    assert cut(text, entry(root, "b").span) == "1"


def test_a_byte_order_mark_moves_nothing() -> None:
    (root,) = read("yaml", "\ufeffa: 1\n").body
    assert value_of_document(root) == {"a": 1}
    assert entry(root, "a").span.col == 5


def test_each_document_is_a_value() -> None:
    module = read("yaml", "a: 1\n---\n- 2\n---\n")
    assert [value_of_document(node) for node in module.body] == [{"a": 1}, [2], None]


def test_an_empty_file_has_no_value() -> None:
    assert read("yaml", "# nothing\n").body == ()


def test_an_alias_is_the_node_that_it_names() -> None:
    (root,) = read("yaml", "a: &x {k: 1}\nb: *x\nc: [*x]\n").body
    assert entry(root, "b") is entry(root, "a")
    assert entry(root, "c", 0) is entry(root, "a")


def test_an_anchor_holds_within_its_document_only() -> None:
    module = read("yaml", "a: &x 1\n---\nb: *x\n")
    assert messages(module) == [(3, "the alias *x names no anchor")]


def test_a_merge_key_spreads_and_the_map_itself_wins() -> None:
    text = "base: &b {model: m, limit: 1}\nmore: &c {limit: 2, extra: 3}\nagent:\n  limit: 9\n  <<: [*b, *c]\n"
    (root,) = read("yaml", text).body
    assert value_of_document(root) == yaml.safe_load(text)
    agent = entry(root, "agent")
    assert isinstance(agent, ir.Map)
    assert [part.value for part in agent.entries if part.key is None] == [entry(root, "more"), entry(root, "base")]


def test_a_cycle_is_cut() -> None:
    module = read("yaml", "a: &x\n  b: *x\n  c: 1\n")
    assert value_of_document(module.body[0]) == {"a": {"b": "<cycle>", "c": 1}}
    assert messages(module) == [(2, "the alias *x stands inside what it names")]


def test_multiplied_aliases_stay_walkable() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    module = read("yaml", "\n".join([*lines, "after: 1"]))
    assert sum(1 for _ in ir.walk(*module.body)) < 1_200_000
    assert isinstance(entry(module.body[0], "after"), ir.Literal)
    assert "the alias *a4 unfolds to more than is read" in [notice.message for notice in module.notices]


def test_aliases_do_not_nest_deeper_than_the_limit() -> None:
    lines = ["a0: &a0 [x]"] + [f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 300)]
    module = read("yaml", "\n".join(lines))
    assert _depth(module.body[0]) <= 102
    assert module.notices


def _depth(node: ir.Node) -> int:
    levels, below = 0, [node]
    while below:
        levels += 1
        below = [child for parent in below for child in ir.children(parent)]
    return levels


def test_a_workflows_on_is_a_word_and_a_values_yes_is_true() -> None:
    assert value_of("yaml", "on: push\nverbose: yes\n") == {"on": "push", "verbose": True}


def test_tags_are_obeyed_or_kept_out() -> None:
    text = "a: !!str 12\nb: !ENV ${X}\nc: !!int '7'\nd: ! 3\ne: !Ref {k: v}\nf: 2024-01-02\n"
    assert value_of("yaml", text) == {"a": "12", "b": "${X}", "c": 7, "d": "3", "e": {"k": "v"}, "f": "2024-01-02"}


def test_a_number_that_would_take_quadratic_time_stays_text() -> None:
    text = "1:1" * 300
    assert value_of("yaml", "1" * 5000) == "1" * 5000
    assert value_of("yaml", text) == text


def test_an_error_keeps_what_came_before_it() -> None:
    module = read("yaml", "a: 1\nb:\n  - x\n  - y: {p: 1, q\nc: 2\n")
    (root,) = module.body
    assert value_of_document(entry(root, "a")) == 1
    assert value_of_document(entry(root, "b", 0)) == "x"
    assert value_of_document(entry(root, "b", 1)) == {"y": {"p": 1, "q c": None}}
    assert [notice.line for notice in module.notices] == [5]
    assert module.notices[0].message.startswith("YAML: ")


def test_a_control_character_is_told_and_read_around() -> None:
    module = read("yaml", "a: 1\nb: x\x01y\nc: 3\n")
    assert value_of_document(module.body[0]) == {"a": 1, "b": "x\ufffdy", "c": 3}
    assert messages(module) == [(2, "a control character, which YAML forbids")]


def test_text_nested_too_deep_ends_the_reading() -> None:
    module = read("yaml", "a: 1\nb: " + "[" * 200)
    assert value_of_document(entry(module.body[0], "a")) == 1
    assert messages(module) == [(2, "nested deeper than 100 levels: the rest is not read")]
