"""The desk: a triage agent hands over to specialists, and they hand back."""

from agents import Agent

from .tools import calculate, order_status

orders = Agent(name="Orders", instructions="Answer questions about orders.", tools=[order_status])
refunds = Agent(name="Refunds", instructions="Decide on refunds.", tools=[calculate])
triage = Agent(name="Triage", instructions="Find out what it is about.", handoffs=[orders, refunds])
refunds.handoffs.append(triage)
