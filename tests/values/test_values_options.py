"""What a program is given where nobody passes anything: command lines, configuration files, validated environments."""

from __future__ import annotations

from pathlib import Path

from values_project import python, script, shown

from agent_architecture.syntax import ir


def test_an_argument_of_argparse_is_its_default(tmp_path: Path) -> None:
    text = """
        import argparse
        parser = argparse.ArgumentParser()
        group = parser.add_argument_group("limits")
        parser.add_argument("-t", "--max-turns", type=int, default=5)
        group.add_argument("--retries", dest="tries", default=2)
        parser.add_argument("--fast", action="store_true")
        parser.add_argument("--depth", type=int)
        parser.add_argument("goal")
        parser.add_argument("--must", required=True)
        args = parser.parse_args()
        show(args.max_turns)
        show(args.tries)
        show(args.fast)
        show(args.depth)
        show(args.goal)
        show(args.must)
    """
    unknown = ["? the command line (goal)", "? the command line (must)"]
    assert python(tmp_path, text) == ["5", "2", "False", "None", *unknown]


def test_two_parsers_are_told_apart(tmp_path: Path) -> None:
    text = """
        import argparse
        def one():
            parser = argparse.ArgumentParser()
            parser.add_argument("--turns", default=5)
            show(parser.parse_args().turns)
        def two():
            parser = argparse.ArgumentParser()
            parser.add_argument("--turns", default=6)
            show(parser.parse_args().turns)
    """
    assert python(tmp_path, text) == ["5", "6"]


def test_a_parameter_that_click_fills_is_the_default_of_its_option(tmp_path: Path) -> None:
    text = """
        import click
        @click.command()
        @click.option("--max-turns", "-t", default=5)
        @click.option("--mode", "way", default="fast")
        @click.option("--deep/--flat", is_flag=True)
        @click.argument("goal")
        def main(max_turns, way, deep, goal):
            show(max_turns)
            show(way)
            show(deep)
            show(goal)
        main()
    """
    assert python(tmp_path, text) == ["5", "'fast'", "False", "? the command line (goal)"]


def test_options_of_scripts_are_their_defaults(tmp_path: Path) -> None:
    text = """
        import { parseArgs } from "node:util";
        import { Command } from "commander";
        import yargs from "yargs";
        const text = { type: "string" };
        const { values } = parseArgs({ options: { turns: { ...text, default: "5" }, mode: text } });
        show(values.turns);
        show(values.mode);
        const program = new Command();
        program.option("-m, --max-turns <n>", "turns", "6").option("--mode <m>", "mode");
        const opts = program.opts();
        show(opts.maxTurns);
        const argv = yargs(process.argv).option("max-turns", { default: 7 }).parseSync();
        show(argv.maxTurns);
    """
    assert script(tmp_path, text) == ["'5'", repr(ir.UNDEFINED), "'6'", "7"]


def test_a_field_of_a_validated_environment_is_its_default(tmp_path: Path) -> None:
    text = """
        import { z } from "zod";
        const Env = z.object({ TURNS: z.coerce.number().int().default(7), KEY: z.string() });
        const env = Env.parse(process.env);
        show(env.TURNS);
        show(env.KEY);
    """
    assert script(tmp_path, text) == ["7", "? data from outside"]


def test_configuration_is_read_from_the_file_that_a_constant_names(tmp_path: Path) -> None:
    files = {
        "config/limits.yaml": "agent:\n  turns: 5\n",
        "config/limits.toml": "[agent]\nturns = 6\n",
        "app/limits.json": '{"agent": {"turns": 7}}',
        "app/main.py": """
            import json, os, tomllib, yaml
            from pathlib import Path
            HERE = Path(__file__).parent
            with open("config/limits.yaml") as file:
                a = yaml.safe_load(file)
            show(a["agent"]["turns"])
            b = tomllib.loads((HERE.parent / "config" / "limits.toml").read_text())
            show(b["agent"]["turns"])
            c = json.load(open(os.path.join(os.path.dirname(__file__), "limits.json")))
            show(c["agent"]["turns"])
        """,
        "app/main.ts": """
            import fs from "node:fs";
            import path from "node:path";
            const c = JSON.parse(fs.readFileSync(path.join(__dirname, "limits.json"), "utf8"));
            show(c.agent.turns);
        """,
    }
    assert shown(tmp_path, files) == ["5", "6", "7", "7"]


def test_the_nearest_file_of_a_name_counts_and_two_as_near_are_not_readable(tmp_path: Path) -> None:
    code = """
        import json
        show(json.load(open("limits.json"))["turns"])
    """
    near = {"a/limits.json": '{"turns": 1}', "b/limits.json": '{"turns": 2}', "a/x.py": code}
    assert shown(tmp_path / "one", near) == ["1"]
    far = {"a/limits.json": '{"turns": 1}', "b/limits.json": '{"turns": 2}', "c/x.py": code}
    assert shown(tmp_path / "two", far) != ["1"]


def test_an_attribute_set_later_is_what_was_set(tmp_path: Path) -> None:
    text = """
        from dataclasses import dataclass
        @dataclass
        class Config:
            turns: int = 1
        config = Config()
        config.turns = 2
        show(config.turns)
        def later(deep):
            own = Config()
            if deep:
                own.turns = 3
            show(own.turns)
            show(config.turns)
            own.turns = 4
            show(own.turns)
    """
    assert python(tmp_path, text) == ["2", "1 | 3", "2", "4"]


def test_an_entry_deep_inside_an_object_set_later_is_what_was_set_in_scripts(tmp_path: Path) -> None:
    text = """
        const config = { agent: { turns: 1 } };
        config.agent.turns = 2;
        export function f() { show(config.agent.turns); }
    """
    assert script(tmp_path, text) == ["2"]


def test_a_minimum_is_at_most_its_least_constant_and_a_maximum_the_other_where_it_is_greater(tmp_path: Path) -> None:
    assert python(tmp_path, "def f(n):\n    show(min(n, 5))\n    show(min(7, n, 6))\n    show(max(n, 5))") == [
        "5", "6", "? the caller of f() (parameter n)",
    ]  # fmt: skip
    assert python(tmp_path, "def f(n, m):\n    show(max(n, m))\n    show(max([1, 2], key=f))") == [
        "py:builtins.max()", "py:builtins.max()",
    ]  # fmt: skip
    assert script(tmp_path, "export function f(n: number) { show(Math.min(n, 5)); }") == ["5"]


def test_a_number_that_is_rounded_is_that_number(tmp_path: Path) -> None:
    text = "import math\ndef f(n):\n    show(math.floor(2.7))\n    show(math.ceil(n))\n    show(round(2.6))"
    assert python(tmp_path, text) == ["2", "? the caller of f() (parameter n)", "3"]
    text = "export function f(n) { show(Math.floor('2.7')); show(Math.round(2.5)); show(Math.ceil(Number(n))); }"
    assert script(tmp_path, text) == ["2", "3", "? the caller of f() (parameter n)"]


def test_a_function_that_makes_a_number_is_asked_about_each_call_alone(tmp_path: Path) -> None:
    text = """
        function whole(value, fallback) {
            const made = Number(value);
            if (!Number.isFinite(made)) return fallback;
            return Math.max(1, Math.floor(made));
        }
        show(whole("2.5", 3));
        show(whole(0, 8000));
        export function f(options) { show(whole(options.steps, 5)); }
    """
    assert script(tmp_path, text) == ["2 | 3", "1 | 8000", "5 | ? the caller of f() (parameter options)"]
    text = """
        def whole(value, fallback):
            if value is None:
                return fallback
            return int(value)
        def grown(value, step):
            return int(value) + step
        show(whole("2", 3))
        show(whole(9, 8000))
        show(grown(1, 2))
        show(grown(5, 5))
    """
    assert python(tmp_path, text) == ["2 | 3", "8000 | 9", "10 | 3 | 6 | 7", "10 | 3 | 6 | 7"]
