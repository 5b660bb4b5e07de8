"""Agreement of the members on pairs of rows: listed pairs (edges of a graph), and tiles of all pairs.

In tiles:

rows     (r, a) unsigned; codes of some rows, transposed: one member after the other; 0 = missing
others   (r, b) likewise
weights  (r,) of the members

On edges:

codes          (n, r) unsigned; 0 = missing, c + 1 = base cluster c of that member
first, second  (m,) rows of the two ends of every edge
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


@jit
def count_together(codes, first, second, together, known):  # type: ignore[no-untyped-def]
    """Write how many members put both ends into one cluster, and how many label both ends."""
    for e in range(first.shape[0]):
        one, other = codes[first[e]], codes[second[e]]
        n_together = 0
        n_known = 0
        # Without branches, so that the loop is vectorised.
        for j in range(one.shape[0]):
            n_together += (one[j] == other[j]) & (one[j] != 0)
            n_known += (one[j] != 0) & (other[j] != 0)
        together[e] = n_together
        known[e] = n_known


@jit
def weigh_together(codes, first, second, weights, together, known):  # type: ignore[no-untyped-def]
    """Write the same with weights of members; members are added in their order."""
    for e in range(first.shape[0]):
        one, other = codes[first[e]], codes[second[e]]
        weight_together = 0.0
        weight_known = 0.0
        for j in range(one.shape[0]):
            if one[j] != 0 and other[j] != 0:
                weight_known += weights[j]
                if one[j] == other[j]:
                    weight_together += weights[j]
        together[e] = weight_together
        known[e] = weight_known


@jit
def peel_leaves(starts, neighbours, degrees, queue):  # type: ignore[no-untyped-def]
    """Remove nodes of degree below 2 until none is left; degrees of removed nodes become 0."""
    n_waiting = 0
    for node in range(degrees.shape[0]):
        if degrees[node] == 1:
            queue[n_waiting] = node
            n_waiting += 1
    place = 0
    while place < n_waiting:
        node = queue[place]
        place += 1
        degrees[node] = 0
        for i in range(starts[node], starts[node + 1]):
            beside = neighbours[i]
            if degrees[beside] > 0:
                degrees[beside] -= 1
                if degrees[beside] == 1:
                    queue[n_waiting] = beside
                    n_waiting += 1
