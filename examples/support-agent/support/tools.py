"""What the agents can do."""

from agents import function_tool


@function_tool
def order_status(order_id: str) -> str:
    """Look up an order."""
    return f"order {order_id} is on its way"


@function_tool
def calculate(expression: str) -> str:
    """Calculate a refund, a discount or a tax."""
    return str(eval(expression))
