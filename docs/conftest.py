"""Only the prose is tested here: Python files are the build's, and the rest is made by it."""

collect_ignore_glob = ["*.py", "api/*", "gallery/*", "experiments/*", "benchmarks/*"]
