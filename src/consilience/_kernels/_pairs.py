"""Weighted agreement of pairs of rows in tiles, and sums over the pairs that a member puts together.

rows     (r, a) unsigned; codes of some rows, transposed: one member after the other; 0 = missing
others   (r, b) likewise
weights  (r,) of the members
"""

from consilience._kernels._jit import jit


@jit
def agreements(rows, others, weights, out):  # type: ignore[no-untyped-def]
    """Write the summed weights of the members that put row p and other q together, (a, b).

    Members outside, others inside: no sum runs along the inner loop, so it is vectorised without
    changing the order of addition.
    """
    out[:] = 0.0
    for p in range(rows.shape[1]):
        line = out[p]
        for j in range(rows.shape[0]):
            code = rows[j, p]
            if code == 0 or weights[j] == 0.0:
                continue
            weight = weights[j]
            beside = others[j]
            for q in range(line.shape[0]):
                line[q] += weight if beside[q] == code else 0.0


@jit
def sums_of_agreeing(rows, others, values, out):  # type: ignore[no-untyped-def]
    """Add to out[j, q] the values[p, q] of the rows p that member j puts together with q."""
    for p in range(rows.shape[1]):
        line = values[p]
        for j in range(rows.shape[0]):
            code = rows[j, p]
            if code == 0:
                continue
            beside, total = others[j], out[j]
            for q in range(line.shape[0]):
                total[q] += line[q] if beside[q] == code else 0.0


@jit
def quadratic_rows(block, offsets, table, out):  # type: ignore[no-untyped-def]
    """Write h' T h for every row h of H; `table` is padded, (t + r, t + r), and symmetric."""
    n_members = block.shape[1]
    for p in range(block.shape[0]):
        total = 0.0
        for j in range(n_members):
            row = table[offsets[j] + block[p, j]]
            beside = 0.0
            for other in range(j):
                beside += row[offsets[other] + block[p, other]]
            total += 2.0 * beside + row[offsets[j] + block[p, j]]
        out[p] = total
