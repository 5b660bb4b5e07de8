"""Numba functions on arrays: the only sub-package that imports numba.

Shared vocabulary of all files here:

codes    (rows, r) unsigned; 0 = missing, c + 1 = base cluster c of that member
offsets  (r,) uint32; where the rows of member j begin in a padded table
padded   a table with one zero row in front of every member, so that a missing label, code 0, needs
         no branch: it adds zeros, and values scattered there are discarded
"""
