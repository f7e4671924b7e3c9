"""What pack rows cannot say: edges, hand-written loops, deployments, evaluations."""
