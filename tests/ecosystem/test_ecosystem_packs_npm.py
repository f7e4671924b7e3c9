"""Paths and defaults of a pack against made-up npm tarballs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from made_packages import check, install, unchecked, wrong

EXPORTS = {
    ".": {"import": {"types": "./dist/index.d.mts", "default": "./dist/index.mjs"}, "require": "./dist/index.js"},
    "./tools/*": {"types": "./dist/tools/*.d.ts"},
    "./plain": "./dist/plain.js",
}
FILES = {
    "package.json": json.dumps({"name": "made", "exports": EXPORTS, "dependencies": {"elsewhere": "^2.0.0"}}),
    "dist/index.d.mts": """\
import * as API from "./resources/index.js";
import { Base } from "elsewhere";
export { Chat as Talk } from "./resources/chat.js";
export * from "./more.js";
export declare class Client extends Base<Client> {
  chat: API.Chat;
  static create(): Client;
  get files(): import("./resources/chat.js").Files;
  with(options: Partial<Options>): this;
  connect(): Promise<Connection>;
}
interface Connection extends Array<string> { send(text: string): ReturnType<typeof open>; all: Connection[] }
interface Connection { close(): void }
declare function open(): { read(): void };
declare const client: { (name: string): Client; new (): Client; helper: { call(): void } } & Extra;
type Extra = { extra: Client["chat"] };
export type Options = { a: string };
declare namespace Errors { class Late { again(): void } }
export { client as default, Errors };
export declare enum Kind { One = 1, Two }
""",
    "dist/more.d.ts": "export declare function make<T extends Maker = Maker>(): T;\ninterface Maker { go(): void }\n",
    "dist/resources/index.d.ts": 'export * from "./chat";\n',
    "dist/resources/chat.d.ts": """\
export declare class Chat { create(): void; completions: Completions; }
export interface Files { list(): void }
declare abstract class Completions { create(): void }
""",
    "dist/tools/web.d.ts": "declare const web: () => { fetch(): void };\nexport = web;\n",
    "dist/plain.js": "function go() {}\nmodule.exports = { go, stop: () => {} };\nmodule.exports.more = go;\n",
    "dist/index.js": """\
const LIMIT = 60 * 1000;
class Client { constructor(o) { this.retries = o.retries ?? 2; } }
function run({ steps = 20, width } = {}, mode = "fast") { return steps; }
""",
}
ELSEWHERE = {
    "package.json": json.dumps({"name": "elsewhere", "types": "index.d.ts"}),
    "index.d.ts": "export class Base<T> { again(): T; stop(): void }\n",
}
PACK = """
[framework]
id = "made"
[[package]]
npm = "made"
verified = "1.0.0"
"""


def row(*paths: str, more: str = "") -> str:
    return f"{PACK}\n[[entity]]\nkind = 'agent'\ncall = {list(paths)}\n{more}\n"


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    install(tmp_path, "npm", "made", "1.0.0", FILES)
    install(tmp_path, "npm", "elsewhere", "%5E2.0.0", ELSEWHERE)
    return tmp_path


@pytest.mark.parametrize(
    "path",
    [
        "made:Client", "made:Talk", "made:Client().chat.create", "made:Client().chat.completions.create",
        "made:Client.create().chat", "made:Client().files.list", "made:Client().with().chat",
        "made:Client().connect().send().read", "made:Client().connect().close", "made:Client().connect().all[].close",
        "made:Client().again().chat.create", "made:Client().stop", "made:default", "made:default().chat.create",
        "made:default.helper.call", "made:default.extra.create", "made:helper.call", "made:make().go",
        "made:Errors.Late().again", "made:Kind.Two", "made/tools/web:default().fetch", "made/tools/web:().fetch",
        "made/plain:go", "made/plain:stop", "made/plain:more",
    ],
)  # fmt: skip
def test_a_path_that_is_there_is_found(cache: Path, path: str) -> None:
    results = check(cache, row(f"npm:{path}"))
    assert (wrong(results), unchecked(results)) == ([], [])


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("made:Chat", "made has no Chat"),
        ("made:Client().chat.make", "made:Client().chat has no make"),
        ("made:Client.connect", "made:Client has no connect"),
        ("made:Client().files.open", "made:Client().files has no open"),
        ("made:Kind.Three", "made:Kind has no Three"),
        ("made/dist/more:make", "made has no module dist/more"),
        ("made/plain:gone", "made/plain has no gone"),
    ],
)
def test_a_path_that_drifted_fails_with_its_reason(cache: Path, path: str, why: str) -> None:
    results = check(cache, row(f"npm:{path}"))
    assert wrong(results) == [f"npm:{path}: {why}"], unchecked(results)


def test_a_base_in_a_package_that_cannot_be_had_leaves_the_path_unchecked(tmp_path: Path) -> None:
    install(tmp_path, "npm", "made", "1.0.0", FILES)
    assert len(unchecked(check(tmp_path, row("npm:made:Client().stop")))) == 1


@pytest.mark.parametrize(
    ("address", "value", "source", "why"),
    [
        ("time_limit = '0.timeout'", "value = 60000", "dist/index.js:LIMIT", None),
        ("time_limit = '0.timeout'", "value = 60", "dist/index.js:LIMIT", "its value is 60000, not 60"),
        ("retry_attempts = '0.retries'", "value = 2", "dist/index.js:Client.retries", None),
        ("retry_attempts = '0.retries'", "value = 3", "dist/index.js:Client.retries", "its value is 2, not 3"),
        ("step_limit = '0.steps'", "value = 20", "dist/index.js:run", None),
        ("step_limit = '0.steps'", "value = 10", "dist/index.js:run", "its value is 20, not 10"),
        ("concurrency = '0.width'", "none = true", "dist/index.js:run", None),
        ("step_limit = '0.steps'", "value = 20", "dist/index.js:start", "index.js has no start"),
        ("step_limit = '0.steps'", "value = 20", "src/index.ts:run", "the package has no file src/index.ts"),
    ],
)
def test_a_default_has_its_source_and_its_value(
    cache: Path, address: str, value: str, source: str, why: str | None
) -> None:
    name = address.partition(" ")[0]
    more = f"{address}\ndefaults.{name} = {{ {value}, source = '{source}' }}"
    expected = [] if why is None else [f"default of {name} ({source}): {why}"]
    assert wrong(check(cache, row("npm:made:Client", more=more))) == expected
