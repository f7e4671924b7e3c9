"""`./dev ecosystem --exports`: every name that a covered package offers is in a pack, or irrelevant with a word why."""
