"""Which file a JavaScript or TypeScript specifier means."""

import json
from pathlib import Path

import pytest
from names_project import Opened, open_project

WORKSPACE = {
    "package.json": json.dumps({"name": "root", "workspaces": ["packages/*"]}),
    "apps/web/package.json": json.dumps({"name": "web"}),
}


def one(folder: Path, specifier: str, files: dict[str, str], importer: str = "apps/web/src/main.ts") -> str:
    """What `specifier` means in the file `importer` of a project."""
    project: Opened = open_project(folder, {**files, importer: f'import x from "{specifier}";'})
    return project.target(importer)


@pytest.mark.parametrize(
    ("specifier", "file"),
    [
        ("./a", "src/a.ts"),
        ("./a", "src/a.tsx"),
        ("./a", "src/a.mts"),
        ("./a", "src/a.cts"),
        ("./a", "src/a.d.ts"),
        ("./a", "src/a.js"),
        ("./a", "src/a.jsx"),
        ("./a", "src/a.mjs"),
        ("./a", "src/a.cjs"),
        ("./a", "src/a.json"),
        ("./a", "src/a/index.ts"),
        ("./a", "src/a/index.js"),
        ("./a.js", "src/a.ts"),
        ("./a.js", "src/a.tsx"),
        ("./a.mjs", "src/a.mts"),
        ("./a.cjs", "src/a.cts"),
        ("./a.jsx", "src/a.tsx"),
        ("./a.ts", "src/a.ts"),
        ("./a.service", "src/a.service.ts"),
        ("./data.json", "src/data.json"),
        ("./a?raw", "src/a.ts"),
        ("../lib/b", "lib/b.ts"),
        ("..", "index.ts"),
        (".", "src/index.ts"),
    ],
)
def test_a_relative_specifier_finds_the_file_with_its_extension_guessed(
    tmp_path: Path, specifier: str, file: str
) -> None:
    assert one(tmp_path, specifier, {file: "{}"}, "src/main.ts") == file


def test_the_source_is_preferred_to_what_was_compiled_beside_it(tmp_path: Path) -> None:
    files = {"a.ts": "", "a.js": "", "a.d.ts": ""}
    assert one(tmp_path, "./a", files, "main.ts") == "a.ts"
    assert one(tmp_path, "./a.js", files, "main.ts") == "a.ts"


def test_code_is_preferred_to_its_declarations(tmp_path: Path) -> None:
    assert one(tmp_path, "./a", {"a.js": "", "a.d.ts": ""}, "main.ts") == "a.js"


def test_a_relative_specifier_without_a_file_is_missing(tmp_path: Path) -> None:
    assert one(tmp_path, "./gone", {}, "main.ts") == "missing"
    assert one(tmp_path, "../../outside", {}, "main.ts") == "missing"


@pytest.mark.parametrize(
    ("specifier", "path"),
    [
        ("openai", "npm:openai:"),
        ("@langchain/langgraph/prebuilt", "npm:@langchain/langgraph/prebuilt:"),
        ("node:child_process", "npm:child_process:"),
        ("fs/promises", "npm:fs/promises:"),
        ("npm:openai@^4.52/resources", "npm:openai/resources:"),
        ("npm:@openai/agents@0.1", "npm:@openai/agents:"),
        ("jsr:@std/path", "npm:@std/path:"),
    ],
)
def test_a_library_is_named_by_its_canonical_specifier(tmp_path: Path, specifier: str, path: str) -> None:
    assert one(tmp_path, specifier, {}) == path


TSCONFIG = """
{
  // comments and trailing commas are allowed here: "@/*" is not a comment
  "compilerOptions": {
    /* the root */
    "baseUrl": ".",
    "paths": {
      "@/*": ["./src/*"],
      "@/special/*": ["./other/*"],
      "exact": ["./src/exact.ts"],
      "many/*": ["./nowhere/*", "./src/many/*"],
    },
  },
}
"""


@pytest.mark.parametrize(
    ("specifier", "file"),
    [
        ("@/a", "src/a.ts"),
        ("@/special/a", "other/a.ts"),
        ("exact", "src/exact.ts"),
        ("many/b", "src/many/b.ts"),
        ("src/a", "src/a.ts"),
        ("openai", "npm:openai:"),
    ],
)
def test_paths_and_base_url_of_the_nearest_tsconfig_map_bare_specifiers(
    tmp_path: Path, specifier: str, file: str
) -> None:
    sources = dict.fromkeys(["src/a.ts", "other/a.ts", "src/exact.ts", "src/many/b.ts"], "")
    assert one(tmp_path, specifier, {**sources, "tsconfig.json": TSCONFIG}, "src/deep/main.ts") == file


def test_the_nearest_configuration_counts_and_not_one_above_it(tmp_path: Path) -> None:
    files = {
        "tsconfig.json": '{"compilerOptions": {"paths": {"~x": ["./root.ts"]}}}',
        "app/tsconfig.json": '{"compilerOptions": {"paths": {"~x": ["./near.ts"]}}}',
        "root.ts": "",
        "app/near.ts": "",
    }
    assert one(tmp_path, "~x", files, "app/src/main.ts") == "app/near.ts"


def test_a_jsconfig_counts_like_a_tsconfig(tmp_path: Path) -> None:
    files = {"jsconfig.json": '{"compilerOptions": {"paths": {"#/*": ["./lib/*"]}}}', "lib/a.js": ""}
    assert one(tmp_path, "#/a", files, "main.js") == "lib/a.js"


@pytest.mark.parametrize("extends", ['"../../base.json"', '["./none.json", "../../base.json"]', '"../../base"'])
def test_paths_are_inherited_and_relative_to_the_file_that_declares_them(tmp_path: Path, extends: str) -> None:
    files = {
        "base.json": '{"compilerOptions": {"paths": {"@lib/*": ["./libs/*/src/index.ts"]}}}',
        "apps/web/tsconfig.json": f'{{"extends": {extends}}}',
        "libs/llm/src/index.ts": "",
    }
    assert one(tmp_path, "@lib/llm", files) == "libs/llm/src/index.ts"


def test_configurations_that_extend_each_other_end(tmp_path: Path) -> None:
    files = {"tsconfig.json": '{"extends": "./b.json"}', "b.json": '{"extends": "./tsconfig.json"}'}
    assert one(tmp_path, "openai", files, "main.ts") == "npm:openai:"


def test_a_configuration_that_only_refers_to_others_counts_as_those(tmp_path: Path) -> None:
    files = {
        "tsconfig.json": '{"references": [{"path": "./tsconfig.node.json"}, {"path": "./tsconfig.app.json"}]}',
        "tsconfig.node.json": "{}",
        "tsconfig.app.json": '{"compilerOptions": {"paths": {"@app/*": ["./src/*"]}}}',
        "src/a.ts": "",
    }
    assert one(tmp_path, "@app/a", files, "src/main.ts") == "src/a.ts"


def test_an_alias_for_the_source_root_works_without_configuration(tmp_path: Path) -> None:
    assert one(tmp_path, "@/a", {**WORKSPACE, "apps/web/src/a.ts": ""}) == "apps/web/src/a.ts"
    assert one(tmp_path, "~/b", {**WORKSPACE, "apps/web/b.ts": ""}) == "apps/web/b.ts"


def test_an_alias_may_mean_any_folder_of_the_package_around_the_importer(tmp_path: Path) -> None:
    files = {"app/package.json": "{}", "app/server/lib/b.ts": "", "lib/b.ts": ""}
    assert one(tmp_path, "~/lib/b", files, importer="app/server/tools/a.ts") == "app/server/lib/b.ts"
    outside = {"app/package.json": "{}", "server/lib/b.ts": ""}
    assert one(tmp_path, "~/lib/b", outside, importer="app/tools/a.ts") != "server/lib/b.ts"


@pytest.mark.parametrize(
    ("package", "subpath", "file"),
    [
        ({"main": "./dist/index.js"}, "", "src/index.ts"),
        ({"source": "./code/start.ts", "main": "./dist/index.js"}, "", "code/start.ts"),
        ({"types": "dist/types/main.d.ts"}, "", "src/main.ts"),
        ({"exports": "./build/esm/main.mjs"}, "", "src/main.mts"),
        ({"exports": {".": {"types": "./dist/a.d.ts", "import": "./dist/b.js"}}}, "", "src/b.ts"),
        ({"exports": {"import": {"default": "./lib/c.js"}}}, "", "src/c.ts"),
        ({"exports": {"./tools": "./dist/tools/index.js"}}, "/tools", "src/tools/index.ts"),
        ({"exports": {"./*": "./src/*.ts"}}, "/deep/x", "src/deep/x.ts"),
        ({"exports": {"./kit/*": "./dist/kit/*.js", "./*": "./dist/*.js"}}, "/kit/y", "src/kit/y.ts"),
        ({"exports": {".": ["./dist/none.js", "./src/second.ts"]}}, "", "src/second.ts"),
        ({}, "", "index.ts"),
        ({}, "/lib/util", "lib/util.ts"),
        ({"main": "lib/index.js"}, "", "lib/index.js"),
    ],
)
def test_a_package_of_the_project_leads_to_its_source(
    tmp_path: Path, package: dict[str, object], subpath: str, file: str
) -> None:
    manifest = {"packages/core/package.json": json.dumps({"name": "@acme/core", **package})}
    files = {**WORKSPACE, **manifest, f"packages/core/{file}": ""}
    assert one(tmp_path, f"@acme/core{subpath}", files) == f"packages/core/{file}"


def test_a_package_can_import_itself_by_its_name(tmp_path: Path) -> None:
    files = {"package.json": '{"name": "solo", "exports": {"./x": "./src/x.ts"}}', "src/x.ts": ""}
    assert one(tmp_path, "solo/x", files, "src/main.ts") == "src/x.ts"


def test_a_package_without_readable_entry_stays_a_library(tmp_path: Path) -> None:
    files = {**WORKSPACE, "packages/core/package.json": '{"name": "@acme/core"}'}
    assert one(tmp_path, "@acme/core", files) == "npm:@acme/core:"


def test_of_packages_with_one_name_the_nearest_is_meant(tmp_path: Path) -> None:
    files = {f"{part}/lib/package.json": '{"name": "lib", "main": "./i.ts"}' for part in ("a", "b")}
    files |= {"a/lib/i.ts": "", "b/lib/i.ts": ""}
    assert one(tmp_path, "lib", files, "b/main.ts") == "b/lib/i.ts"


@pytest.mark.parametrize(
    ("mapped", "meant"),
    [
        ('"./src/db.ts"', "src/db.ts"),
        ('{"node": "./dist/db.js", "default": "./src/none.ts"}', "src/db.ts"),
        ('"pg"', "npm:pg:"),
    ],
)
def test_the_imports_of_a_package_map_its_private_names(tmp_path: Path, mapped: str, meant: str) -> None:
    files = {"package.json": f'{{"imports": {{"#db": {mapped}}}}}', "src/db.ts": ""}
    assert one(tmp_path, "#db", files, "src/main.ts") == meant


def test_private_names_that_map_to_each_other_end(tmp_path: Path) -> None:
    files = {"package.json": '{"imports": {"#a": "#b", "#b": "#a"}}'}
    assert one(tmp_path, "#a", files, "main.ts").startswith("npm:#")


def test_a_broken_configuration_is_a_notice_with_its_line_and_the_rest_still_resolves(tmp_path: Path) -> None:
    project = open_project(
        tmp_path,
        {
            "tsconfig.json": '{\n  "compilerOptions": {\n',
            "main.ts": 'import a from "x"; import b from "./b"',
            "b.ts": "",
        },
    )
    assert [project.target("main.ts", 0), project.target("main.ts", 1)] == ["npm:x:", "b.ts"]
    (notice,) = project.specifiers.notices()
    assert (notice.path, notice.line) == ("tsconfig.json", 3)


def test_a_deeply_nested_configuration_is_a_notice_and_no_crash(tmp_path: Path) -> None:
    deep = '{"name": "a", "exports": ' + '{"import":' * 30_000 + '"x"' + "}" * 30_000 + "}"
    project = open_project(tmp_path, {"package.json": deep, "main.ts": 'import a from "a"'})
    assert project.target("main.ts") == "npm:a:"
    assert [notice.path for notice in project.specifiers.notices()] == ["package.json"]
