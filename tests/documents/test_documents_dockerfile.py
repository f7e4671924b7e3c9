"""Dockerfiles: instructions in order, flags, forms, continuation, heredocs."""

from __future__ import annotations

from documents_read import cut, messages, read

from agent_architecture.syntax import ir
from agent_architecture.syntax.dump import dump

TEXT = """\
# syntax=docker/dockerfile:1
# escape=\\

from python:3.12-slim AS build
RUN apt-get update && \\
    # a comment inside

    apt-get install -y git
ENV A=1 NAME="Ünder score" B=$A
ENV OLD some value
ARG VERSION
ARG LEVEL=2
COPY --from=build --link src/ "my dir/" /app/
USER nobody
CMD ["python", "-m", "agent \\"x\\""]
HEALTHCHECK --interval=5s CMD curl localhost
ONBUILD RUN echo hi
RUN --mount=type=secret,id=key <<EOF
set -e
pip install x
EOF
COPY <<-"A" <<B /etc/
\tone
\tA
two
B
EXPOSE 80 443/tcp
"""


def calls(text: str) -> list[str]:
    (root,) = read("dockerfile", text).body
    assert isinstance(root, ir.List)
    return [dump(item).strip() for item in root.items]


def named(text: str, name: str, position: int = 0) -> ir.Call:
    (root,) = read("dockerfile", text).body
    assert isinstance(root, ir.List)
    found = [item for item in root.items if isinstance(item, ir.Call) and item.callee.id == name]
    return found[position]


def values(call: ir.Call) -> list[tuple[str | None, object]]:
    return [(arg.keyword, arg.value.value) for arg in call.args if isinstance(arg.value, ir.Literal)]


def test_instructions_come_in_source_order_with_upper_case_names() -> None:
    (root,) = read("dockerfile", TEXT).body
    assert [call.callee.id for call in root.items] == (
        [
            "FROM",
            "RUN",
            "ENV",
            "ENV",
            "ARG",
            "ARG",
            "COPY",
            "USER",
            "CMD",
            "HEALTHCHECK",
            "ONBUILD",
            "RUN",
            "COPY",
            "EXPOSE",
        ]
    )
    assert read("dockerfile", TEXT).notices == ()


def test_words_flags_and_settings_are_arguments() -> None:
    assert values(named(TEXT, "FROM")) == [(None, "python:3.12-slim"), (None, "AS"), (None, "build")]
    assert values(named(TEXT, "ENV")) == [("A", "1"), ("NAME", "Ünder score"), ("B", "$A")]
    assert values(named(TEXT, "ENV", 1)) == [("OLD", "some value")]
    assert values(named(TEXT, "ARG")) == [(None, "VERSION")]
    assert values(named(TEXT, "ARG", 1)) == [("LEVEL", "2")]
    assert values(named(TEXT, "COPY")) == [
        ("from", "build"), ("link", True), (None, "src/"), (None, "my dir/"), (None, "/app/"),
    ]  # fmt: skip


def test_a_continued_command_is_one_text_without_its_comments() -> None:
    assert values(named(TEXT, "RUN")) == [(None, "apt-get update &&     apt-get install -y git")]


def test_exec_form_is_a_list() -> None:
    command = named(TEXT, "CMD").args[0].value
    assert isinstance(command, ir.List)
    assert [item.value for item in command.items] == ["python", "-m", 'agent "x"']


def test_health_checks_and_triggers_hold_a_call() -> None:
    check = named(TEXT, "HEALTHCHECK")
    assert check.args[0].keyword == "interval"
    assert isinstance(check.args[1].value, ir.Call)
    assert values(check.args[1].value) == [(None, "curl localhost")]
    assert values(named(TEXT, "ONBUILD").args[0].value) == [(None, "echo hi")]


def test_heredocs_are_one_more_argument_each() -> None:
    assert values(named(TEXT, "RUN", 1)) == [
        ("mount", "type=secret,id=key"), (None, "<<EOF"), (None, "set -e\npip install x\n"),
    ]  # fmt: skip
    assert values(named(TEXT, "COPY", 1))[-2:] == [(None, "one\n"), (None, "two\n")]


def test_spans_cut_instructions_and_arguments_out_of_the_text() -> None:
    assert cut(TEXT, named(TEXT, "FROM").span) == "from python:3.12-slim AS build"
    assert cut(TEXT, named(TEXT, "FROM").callee.span) == "from"
    assert cut(TEXT, named(TEXT, "FROM").args[0].value.span) == "python:3.12-slim"
    assert cut(TEXT, named(TEXT, "ENV").args[1].value.span) == '"Ünder score"'
    assert cut(TEXT, named(TEXT, "COPY").args[0].value.span) == "build"
    assert cut(TEXT, named(TEXT, "RUN").span).endswith("install -y git")
    assert cut(TEXT, named(TEXT, "CMD").args[0].value.items[2].span) == '"agent \\"x\\""'
    assert cut(TEXT, named(TEXT, "RUN", 1).args[-1].value.span) == "set -e\npip install x"
    assert cut(TEXT, named(TEXT, "RUN", 1).span).endswith("EOF")


def test_the_escape_directive_changes_what_continues_a_line() -> None:
    text = "# escape=`\nFROM a\nRUN dir C:\\ `\n  && b\n"
    assert values(named(text, "RUN")) == [(None, "dir C:\\   && b")]


def test_a_comment_before_it_ends_the_directives() -> None:
    text = "# a comment\n# escape=`\nRUN a \\\n b\n"
    assert values(named(text, "RUN")) == [(None, "a  b")]


def test_windows_line_ends_change_nothing() -> None:
    assert calls(TEXT.replace("\n", "\r\n")) == calls(TEXT)


def test_what_is_no_instruction_is_told_and_the_rest_is_read() -> None:
    text = "FROM a\n}{ what\nWHAT x\nRUN b <<EOF\nnever ends\n"
    assert calls(text) == ['(call FROM "a")', '(call WHAT "x")', '(call RUN "b <<EOF" "never ends\\n")']
    assert messages(read("dockerfile", text)) == [
        (2, "a line that is no instruction"),
        (3, "unknown instruction 'WHAT'"),
        (4, "the heredoc EOF does not end"),
    ]
    assert values(named(text, "RUN"))[-1] == (None, "never ends\n")
