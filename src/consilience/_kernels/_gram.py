"""The overlaps of all base clusters, H' diag(w) H."""

import numpy as np

from consilience._kernels._jit import jit


@jit
def overlaps(columns, offsets, weight, table):  # type: ignore[no-untyped-def]
    """Add every row to the cells of the upper triangle (by member) of the padded table.

    `columns` are the codes transposed, (r, rows). Members are the outer loops, so that the two columns
    and the few hundred cells of a pair of members stay in the first cache while the rows pass by.
    """
    n_members = columns.shape[0]
    for j in range(n_members):
        for m in range(j, n_members):
            for i in range(columns.shape[1]):
                row = np.uint32(offsets[j] + columns[j, i])
                column = np.uint32(offsets[m] + columns[m, i])
                if weight is None:
                    table[row, column] += 1
                else:
                    table[row, column] += weight[i]
