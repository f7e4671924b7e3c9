"""Which instructions the steps of a run or loop obey, whoever writes them."""
