"""The entry points."""

from agents import Runner

from .desk import orders, triage

MAX_TURNS = 8


async def answer(question: str) -> str:
    """One question to the desk."""
    result = await Runner.run(triage, question, max_turns=None)
    return result.final_output


async def status(question: str) -> str:
    """One question about an order."""
    result = await Runner.run(orders, question, max_turns=MAX_TURNS)
    return result.final_output
