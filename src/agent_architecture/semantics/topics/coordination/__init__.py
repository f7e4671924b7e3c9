"""How agents work together: who starts whom, who works with whom, and what they share."""
