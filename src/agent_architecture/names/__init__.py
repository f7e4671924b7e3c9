"""The IR to what expressions denote. Knows neither frameworks nor agents."""
