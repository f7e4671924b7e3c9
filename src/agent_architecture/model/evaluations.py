"""What grades the work of agents: suites of cases, and the steps of CI that run them. Facts; detectors judge."""

from __future__ import annotations

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.settings import ABSENT, Setting
from agent_architecture.records import NamedTuple
from agent_architecture.sources.source import Span


class EvalSuite(NamedTuple):
    """Graded cases in code or configuration, or a test of the agent with a stand-in for the model.

    `dataset`: it has cases; `scorer`: something grades what the agent answers; `trajectory`: a grader looks at steps,
    tool calls or the state that the run leaves; `threshold`: a bad grade fails whoever runs it.
    """

    span: Span
    symbol: str
    framework: str
    dataset: bool = False
    scorer: bool = False
    trajectory: bool = False
    adversarial: bool = False
    trials: Setting = ABSENT
    threshold: bool = False
    mocked_model: bool = False
    """A unit test of the agent with a stand-in for the model: not an evaluation, but a first step."""
    records: str = ""
    """What keeps each grade as a record of its own, for a reader; "" for nothing."""
    started_by: str = ""
    """What in the project runs it, as the end of the sentence "it is run by …"; "" when nothing does."""
    confidence: Confidence = Confidence.HIGH


class CiJob(NamedTuple):
    """A step of a CI workflow that runs evaluations; `threshold` when a bad result fails it."""

    span: Span
    symbol: str
    framework: str
    threshold: bool = False
