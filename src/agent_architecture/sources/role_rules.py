"""The table behind `roles`: which names of folders and files give a file its role, one reason a rule.

It is data. The order is the precedence; a file that fits no rule is part of the application.
"""

from __future__ import annotations

from typing import Final, Literal

from agent_architecture.records import NamedTuple
from agent_architecture.sources.source import Role

Where = Literal["folder", "outer folder", "file", "document", "document folder"]
"""What the pattern must match as a whole, in lower case.

`folder`: the name of any folder on the path. `outer folder`: the same, unless it stands below a folder of sources.
`file`: the name of the file. `document`: the same, for a file that is not program text. `document folder`: the name of
any folder above such a file.
"""

SOURCES: Final = frozenset({"src", "app", "lib", "pages", "routes"})
"""Folders of sources. Below them, `build`, `docs` and `out` are ordinary packages or routes (`app/docs/page.tsx`)."""


class Rule(NamedTuple):
    """One reason for a role; `pattern` is a regular expression."""

    role: Role
    where: Where
    pattern: str
    reason: str


_JS: Final = r"[cm]?[jt]sx?"

_DOCUMENTATION: Final = (
    r"(?:readme|changelog|changes|history|contributing|contributors|code_of_conduct|security|license|licence|notice|"
    r"authors|maintainers|governance|support|roadmap|releas(?:e|es|ing)|upgrading|migration|todo)(?:[._-].*)?\.mdx?"
)
_HOST_FOLDERS: Final = (
    r"\.(?:github|gitlab|circleci|buildkite|azure-pipelines|vscode|idea|zed|devcontainer|husky|changeset|agents|"
    r"claude|claude-plugin|cursor|windsurf|codeium|codex|gemini|copilot|continue|roo|cline|kiro|amazonq|opencode)"
)
_MCP: Final = (
    r"\.?mcp(?:[_.-].*)?\.jsonc?|\.mcp|\.mcprc|.*_mcp_settings\.json|claude_desktop_config\.json|opencode\.jsonc?|"
    r"smithery\.yaml"
)
_HOST_INSTRUCTIONS: Final = (
    r"(?:agents|claude|gemini|copilot-instructions)(?:\.(?:local|override))?\.md|"
    r"\.(?:cursor|windsurf|cline|roo)rules|\.goosehints"
)
_PACKING: Final = r"(?:.*\.)?(?:dockerfile|containerfile)(?:[._-].*)?|(?:docker-)?compose(?:[._-].*)?\.ya?ml"
_PIPELINES: Final = (
    r"\.gitlab-ci\.ya?ml|\.travis\.ya?ml|azure-pipelines\.ya?ml|cloudbuild\.ya?ml|bitbucket-pipelines\.ya?ml|"
    r"\.pre-commit-config\.ya?ml"
)
_TOOLS: Final = (
    r"(?:ts|js)config(?:\..*)?\.json|"
    r"(?:turbo|nx|lerna|vercel|biome|deno|components|firebase|app|langgraph|codecov|renovate|dependabot)\.(?:jsonc?|ya?ml)|"
    r"(?:ruff|mypy|wrangler|fly|netlify|railway|bunfig|taplo|book|cargo|rust-toolchain)\.toml|"
    r"(?:promptfooconfig|mkdocs|render|serverless|pnpm-workspace|\.yarnrc)(?:\..*)?\.ya?ml|"
    r"\.[\w-]+rc(?:\.(?:json|ya?ml))?"
)
_TOOL_PROGRAMS: Final = (
    r"setup\.py|noxfile\.py|(?:vitest|jest)\.workspace\.[cm]?[jt]s|\.[\w-]+rc\.[cm]?[jt]s|"
    r"(?:jest|vitest|vite|next|nuxt|webpack|rollup|tailwind|postcss|eslint|prettier|babel|playwright|cypress|tsup|svelte|"
    r"astro|metro|commitlint|drizzle|knip|lint-staged|release|stylelint|tsdown|vue|rspack|remix|expo)"
    r"\.(?:config|setup)\.[cm]?[jt]s"
)
_FORMS: Final = (
    r".*\.(?:example|sample|template|dist)|\.?env(?:[._-]\w+)*[_-](?:example|sample|template|dist)"
    r"|(?:.*[._-](?:example|sample|template)|.*\.(?:examples|samples))\.(?:env|json|ya?ml|toml)"
)

RULES: Final = (
    Rule(Role.VENDORED, "folder", r"_?vendor(?:s|ed)?", "copies of other people's code, by an old convention"),
    Rule(Role.VENDORED, "folder", r"(?:third|3rd)[_-]?party", "copies of other people's code"),
    Rule(Role.VENDORED, "folder", r"(?:site|dist)-packages|node_modules|bower_components|\.yarn", "installed packages"),
    Rule(Role.GENERATED, "folder", r"_{0,2}generated_{0,2}", "named so by its generator"),
    Rule(Role.GENERATED, "folder", r"\.(?:next|nuxt|output|svelte-kit|vercel|docusaurus)|htmlcov", "written by a tool"),
    Rule(Role.GENERATED, "folder", r".*\.egg-info", "written by setuptools"),
    Rule(
        Role.GENERATED, "outer folder", r"dist|build|out", "written by a build, unless it is a package of the sources"
    ),
    Rule(Role.GENERATED, "file", r".*_pb2(?:_grpc)?\.pyi?|.*(?:[._]|_grpc_)pb\.(?:js|ts)", "written by protoc"),
    Rule(Role.GENERATED, "file", rf".*\.(?:min|bundle)\.{_JS}", "minified or bundled, by its name"),
    Rule(Role.GENERATED, "file", rf".*\.(?:gen|generated)\.(?:{_JS}|py)", "generated, by its name"),
    Rule(Role.GENERATED, "file", r".*\.lock|package-lock\.json|npm-shrinkwrap\.json", "a lock file"),
    Rule(Role.GENERATED, "file", r"pnpm-lock\.yaml|pylock\..*toml", "a lock file"),
    Rule(Role.TEST, "folder", r"tests?|__tests__|(?:.+[_-])tests", "tests, by convention"),
    Rule(Role.TEST, "folder", r"(?:unit|integration|functional|smoke|system|acceptance)[_-]?test", "tests of one kind"),
    Rule(
        Role.TEST,
        "folder",
        r"e2e|cypress|testdata|test[_-](?:data|fixtures|utils|helpers|scenarios?|cases?|scripts?)",
        "parts of tests",
    ),
    Rule(Role.TEST, "folder", r"fixtures|__(?:mocks|fixtures|snapshots)__", "recorded or made-up data for tests"),
    Rule(Role.TEST, "folder", r"evals?|evaluations?", "they grade the agent; evaluations are looked for in tests"),
    Rule(Role.TEST, "folder", r"benchmarks?|bench", "they run the agent to measure it"),
    Rule(
        Role.TEST, "file", r"test_.*\.pyi?|.*_tests?\.pyi?|tests?\.py|conftest\.py", "collected by pytest or unittest"
    ),
    Rule(Role.TEST, "file", rf".*[._](?:test|spec)\.{_JS}|tests?\.{_JS}", "collected by JavaScript's test runners"),
    Rule(Role.TEST, "file", rf".*\.(?:e2e|cy|bench|eval|stories|test-d)\.{_JS}", "other tests, evaluations, Storybook"),
    Rule(Role.DOCS, "outer folder", r"docs?|documentation", "documentation, unless it is a package of the sources"),
    Rule(Role.DOCS, "file", _DOCUMENTATION, "written for people, about the project"),
    # `excel-demo` is an application of its own; `demo` and `agent-demos` hold them.
    Rule(Role.EXAMPLE, "folder", r"(?:.+[_-])?(?:examples?|samples?|demos)|demo", "shows how to use the project"),
    Rule(Role.EXAMPLE, "folder", r"(?:.+[_-])?(?:cookbooks?|tutorials?)", "teaches how to use the project"),
    # Beside an application, nobody deploys a notebook. Where there is nothing else, examples are judged as one.
    Rule(Role.EXAMPLE, "folder", r"notebooks?", "explorations"),
    Rule(Role.EXAMPLE, "file", r"tests?[_-].*\.ipynb|.*[_-]tests?\.ipynb", "somebody tries the agent out"),
    Rule(Role.EXAMPLE, "file", _FORMS, "a form to fill in: its secrets are placeholders"),
    Rule(Role.CONFIG, "document folder", _HOST_FOLDERS, "configuration of a host, an editor or a CI service"),
    Rule(Role.CONFIG, "document", _MCP, "which MCP servers a host starts"),
    Rule(
        Role.CONFIG, "document", _HOST_INSTRUCTIONS, "for a coding agent that works on the project, not one that it is"
    ),
    Rule(Role.CONFIG, "document", _PACKING, "how the project is packed and started"),
    Rule(Role.CONFIG, "document", r"\.env(?:\..*)?|.*\.env", "the environment of a deployment"),
    Rule(Role.CONFIG, "document", _PIPELINES, "continuous integration"),
    Rule(Role.CONFIG, "document", _TOOLS, "configuration of a tool"),
    Rule(Role.CONFIG, "file", _TOOL_PROGRAMS, "program text that only configures a tool"),
)
"""The rules in order of precedence."""
