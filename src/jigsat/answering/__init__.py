"""How questions are answered: the plan, the ways, and the processes that follow them."""
