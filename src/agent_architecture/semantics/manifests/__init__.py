"""What a project declares and has installed: manifests, lock files, ranges, and the version of a library."""
