"""Who calls whom: callbacks, decorators, routes, processes; what a call reaches, and which calls never return."""
