"""How good the answers are: on labelled sets, beside what a user would pick instead."""
