"""Markdown with front matter, and prompt templates."""

from __future__ import annotations

from documents_read import cut, entry, messages, read, value_of_document

from agent_architecture.syntax import ir

PROMPTY = """\
---
name: Wrïter
model:
  api: chat
---
system:
You help {{ user.name }} with {{ topic|upper }} and {{- x -}}.
{% for tool in agent.tools %}- {{ tool["{{"] }}
{% endfor %}{# no {{ secret }} #}{% raw %}{{ kept }}{% endraw %}
"""


def body(language: str, text: str) -> ir.Node:
    return entry(read(language, text).body[0], "body")


def test_front_matter_is_a_map_at_its_own_lines() -> None:
    (root,) = read("markdown", PROMPTY).body
    name = entry(root, "front_matter", "name")
    assert value_of_document(entry(root, "front_matter")) == {"name": "Wrïter", "model": {"api": "chat"}}
    assert cut(PROMPTY, name.span) == "Wrïter"
    assert entry(root, "front_matter", "model", "api").span.line == 4
    assert cut(PROMPTY, entry(root, "body").span) == PROMPTY[PROMPTY.index("system:") :]


def test_front_matter_may_be_toml() -> None:
    text = '+++\nname = "x"\n[a]\nb = 1\n+++\nbody\n'
    (root,) = read("markdown", text).body
    assert value_of_document(root) == {"front_matter": {"name": "x", "a": {"b": 1}}, "body": "body\n"}
    assert entry(root, "front_matter", "a", "b").span.line == 4
    assert cut(text, entry(root, "front_matter", "name").span) == '"x"'


def test_windows_line_ends_change_no_line() -> None:
    (root,) = read("markdown", PROMPTY.replace("\n", "\r\n")).body
    assert value_of_document(entry(root, "front_matter")) == {"name": "Wrïter", "model": {"api": "chat"}}
    assert entry(root, "body").span.line == 6


def test_rules_that_draw_a_line_are_no_front_matter() -> None:
    for text in ("---\nJust *prose*.\n---\nmore\n", "text\n---\na: 1\n---\n", "---\na: 1\n", ""):
        module = read("markdown", text)
        assert value_of_document(module.body[0]) == {"body": text}
        assert module.notices == ()


def test_an_empty_front_matter_is_an_empty_map() -> None:
    (root,) = read("markdown", "---\n---\nbody").body
    assert value_of_document(root) == {"front_matter": {}, "body": "body"}


def test_a_broken_front_matter_keeps_the_body_and_what_was_read() -> None:
    module = read("markdown", "---\na: 1\nb: [x\n---\nbody\n")
    assert value_of_document(module.body[0]) == {"front_matter": {"a": 1, "b": ["x"]}, "body": "body\n"}
    assert [line for line, _ in messages(module)] == [4]


def test_a_prompt_is_a_template_of_text_and_what_is_interpolated() -> None:
    template = body("prompt", PROMPTY)
    assert isinstance(template, ir.Template)
    shown = [part.value if isinstance(part, ir.Literal) else cut(PROMPTY, part.span) for part in template.parts]
    assert shown == [
        "system:\nYou help ", "user.name", " with ", "{{ topic|upper }}", " and ", "x", ".\n",
        "{% for tool in agent.tools %}", "- ", '{{ tool["{{"] }}', "\n", "{% endfor %}", "{{ kept }}", "\n",
    ]  # fmt: skip


def test_plain_dotted_names_are_members_and_other_expressions_keep_their_names() -> None:
    template = body("prompt", PROMPTY)
    member, filtered, loop = template.parts[1], template.parts[3], template.parts[7]
    assert isinstance(member, ir.Member)
    assert isinstance(member.target, ir.Name)
    assert (member.target.id, member.name, cut(PROMPTY, member.name_span)) == ("user", "name", "name")
    assert (filtered.kind, [part.id for part in filtered.parts]) == ("jinja", ["topic"])
    assert loop.kind == "jinja_statement"
    assert [cut(PROMPTY, part.span) for part in loop.parts] == ["tool", "agent.tools"]


def test_a_prompt_without_interpolation_is_text() -> None:
    for text in ("You are terse.\n", "An open {{ brace\n", ""):
        found = body("prompt", text)
        assert isinstance(found, ir.Literal)
        assert found.value == text


def test_strings_and_calls_inside_an_expression() -> None:
    template = body("prompt", '{{ render("not.a.name", arg, key=x.y) | join(", ") }}')
    names = list(template.parts[0].parts)
    assert [getattr(part, "id", getattr(part, "name", "")) for part in names] == ["render", "arg", "key", "y"]
