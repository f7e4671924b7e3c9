"""What bounds loops, recursions, collections, parallel work, retries and waits, and where the number stands."""
