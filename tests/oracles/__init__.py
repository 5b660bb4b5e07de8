"""Literal, slow consensus functions, written from the specification only.

Loops, dense matrices and exact fractions, so that every line can be held against its formula. No
module here imports a consensus function of the library: an oracle must not share its mistakes.
"""
