"""What fails a run: invariants, baselines, and the gate that makes an exit code of an outcome."""
