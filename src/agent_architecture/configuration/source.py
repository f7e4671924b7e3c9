"""What a configuration file changes in a `Config`. The file has been checked: every value has its type."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Final

from agent_architecture.config import Baseline, Config, DataConfig, Ignore, Invariant, MetricConfig, Output
from agent_architecture.configuration.check import refuse
from agent_architecture.configuration.read import ConfigFile, Items, Scalar, Section, Value
from agent_architecture.detector import Severity
from agent_architecture.errors import ConfigurationError
from agent_architecture.registry import resolve
from agent_architecture.render.formats import format_of

if TYPE_CHECKING:
    from agent_architecture.config import PolicyConfig, Source
    from agent_architecture.syntax.ir import Constant

TRUTHS: Final = ("require_loop_guards", "require_tool_policy", "require_eval_harness")
TABLES: Final = ("governance_weights", "reliability_weights", "coordination_weights")


def source_of_file(file: ConfigFile) -> Source:
    """The changes that a file makes.

    Raises:
        ConfigurationError: something in it cannot be obeyed; the sentence names file, line and key.
    """
    refuse(file)

    def source(config: Config) -> Config:
        root = file.root
        metric = next(iter(_sections(root.get("metrics"))), Section((), 1, 1))
        return config._replace(
            data=_data(config.data, _inside(root, "data"), metric, file.path.parent),
            metric=_metric(config.metric, metric, file),
            policy=_policy(config.policy, _inside(root, "policy"), file),
            report=config.report._replace(outputs=_outputs(_inside(root, "report"), file) or config.report.outputs),
            ignore=tuple(map(_ignore, _sections(root.get("ignore")))),
            file=file.path,
        )

    return source


# ------------------------------------------------------------------------------------------------------------- sections
def _data(data: DataConfig, section: Section, metric: Section, folder: Path) -> DataConfig:
    include, exclude = _texts(section.get("include")), _texts(section.get("exclude"))
    languages = _texts(section.get("language")) or _texts(_inside(metric, "config").get("languages"))
    size = _plain(section, "max_file_size")
    return data._replace(
        language=_language(languages) if languages else data.language,
        include=include or data.include,
        include_from=folder if include else data.include_from,
        exclude=exclude or data.exclude,
        exclude_from=folder if exclude else data.exclude_from,
        include_tests=_truth(section, "include_tests", default=data.include_tests),
        include_examples=_truth(section, "include_examples", default=data.include_examples),
        max_file_size=size if isinstance(size, int) else data.max_file_size,
    )


def _language(words: tuple[str, ...]) -> str:
    """One word for all: two languages are `auto`."""
    return words[0] if len(set(words)) == 1 else "auto"


def _metric(metric: MetricConfig, section: Section, file: ConfigFile) -> MetricConfig:
    settings = _inside(section, "config")
    tables = _inside(settings, "scoring")
    scoring = metric.scoring
    truths = {name: _truth(settings, name, default=bool(getattr(scoring, name))) for name in TRUTHS}
    weights = {name: _weights(tables.get(name)) for name in TABLES if tables.get(name) is not None}
    try:
        changed = scoring._replace(**truths, **weights)  # type: ignore[arg-type]
    except ConfigurationError as error:
        raise ConfigurationError(f"{file.shown}:{tables.line}: {error}") from None
    return MetricConfig(_truth(section, "enabled", default=metric.enabled), changed)


def _weights(value: Value | None) -> dict[str, float]:
    members = value.members if isinstance(value, Section) else ()
    return {member.name: number for member in members if (number := _number(member.value)) is not None}


def _policy(policy: PolicyConfig, section: Section, file: ConfigFile) -> PolicyConfig:
    fail_on = _text(section, "fail_on")
    baseline = section.get("baseline")
    return policy._replace(
        invariants=tuple(_invariant(item, file) for item in _sections(section.get("invariants"))),
        baseline=_baseline(baseline, file) if isinstance(baseline, Section) else policy.baseline,
        fail_on=Severity(fail_on) if fail_on else policy.fail_on,
        require_agents=_truth(section, "require_agents", default=policy.require_agents),
        fail_fast=_truth(section, "fail_fast", default=policy.fail_fast),
        strict=_truth(section, "strict", default=policy.strict),
    )


def _invariant(section: Section, file: ConfigFile) -> Invariant:
    return Invariant(
        metric=_text(section, "metric"),
        op=_text(section, "op"),
        value=_number(section.get("value")),
        message=_text(section, "message"),
        severity="warning" if _text(section, "severity") == "warning" else "error",
        baseline=_truth(section, "baseline", default=False),
        where=f"{file.shown}:{section.line}",
    )


def _baseline(section: Section, file: ConfigFile) -> Baseline:
    where = f"{file.shown}:{section.line}"
    if _text(section, "mode") == "git":
        return Baseline("git", ref=_text(section, "ref"), where=where)
    return Baseline("file", path=str(file.path.parent / _text(section, "path")), where=where)


def _outputs(section: Section, file: ConfigFile) -> tuple[Output, ...]:
    name, target = _text(section, "format"), section.get("file")
    if isinstance(target, Scalar) and target.value not in {None, "-"}:
        path = _below(str(target.value), target.line, file)
        return (Output(name or format_of(path), path),)
    return (Output(name),) if name else ()


def _below(name: str, line: int, file: ConfigFile) -> str:
    """The file to write to. A configuration is part of the scanned project: it may write below its folder alone."""
    folder = file.path.parent.resolve()
    inside = PurePosixPath(name.replace("\\", "/"))
    target = folder.joinpath(*inside.parts)
    leaves = inside.is_absolute() or PureWindowsPath(name).drive or ".." in inside.parts
    real = target.resolve()  # a link may lead into the repository's own files, too
    if leaves or not real.is_relative_to(folder) or ".git" in map(str.lower, (*inside.parts, *real.parts)):
        raise ConfigurationError(
            f"{file.shown}:{line}: report.file: {name!r} is not below this file's folder (--output writes anywhere)"
        )
    if target.exists() and not target.is_file():
        raise ConfigurationError(f"{file.shown}:{line}: report.file: {name!r} is not a regular file")
    return str(target)


def _ignore(section: Section) -> Ignore:
    from datetime import date

    until = _text(section, "until")
    return Ignore(
        key=resolve(_text(section, "rule")).name,
        reason=_text(section, "reason").strip(),
        path=_text(section, "path"),
        until=date.fromisoformat(until) if until else None,
        line=section.line,
    )


# --------------------------------------------------------------------------------------------------------------- values
def _inside(section: Section, name: str) -> Section:
    value = section.get(name)
    return value if isinstance(value, Section) else Section((), section.line, section.column)


def _sections(value: Value | None) -> Iterator[Section]:
    items = value.items if isinstance(value, Items) else ()
    yield from (item for item in items if isinstance(item, Section))


def _plain(section: Section, name: str) -> Constant:
    value = section.get(name)
    return value.value if isinstance(value, Scalar) else None


def _text(section: Section, name: str) -> str:
    value = _plain(section, name)
    return value if isinstance(value, str) else ""


def _truth(section: Section, name: str, *, default: bool) -> bool:
    value = _plain(section, name)
    return value if isinstance(value, bool) else default


def _number(value: Value | None) -> float | None:
    number = value.value if isinstance(value, Scalar) else None
    return number if isinstance(number, (int, float)) and not isinstance(number, bool) else None


def _texts(value: Value | None) -> tuple[str, ...]:
    """One text, or a list of them."""
    values = value.items if isinstance(value, Items) else (value,) if value is not None else ()
    return tuple(item.value for item in values if isinstance(item, Scalar) and isinstance(item.value, str))
