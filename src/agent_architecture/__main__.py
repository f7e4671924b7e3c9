"""`python -m agent_architecture`: the same as the command `agent-architecture`."""

import sys

from agent_architecture.cli import main

sys.exit(main())
