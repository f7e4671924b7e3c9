"""What is done with what a model wrote: parsed, executed, rendered, or only shown."""
