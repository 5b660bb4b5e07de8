"""What is promised, computed: each promise with its figures and whether it is kept."""

from .settings import LINEAR, PAIRWISE, SECONDS, SIZES

NOT_LOWER = 0.005  # mean NMI over the seeds
NOT_SLOWER = 1.1
PAIRWISE_FASTER, PAIRWISE_SIZE = 50, 10_000
LINEAR_FASTER, LINEAR_SIZES = 3, (100_000, 1_000_000)


def bars(rows):
    """(promise, figures, kept: True, False or None when it cannot be said)."""
    for kind in PAIRWISE:
        yield from _speed(rows, kind, PAIRWISE_SIZE, PAIRWISE_FASTER)
        yield from _quality(rows, kind)
    for kind in LINEAR:
        if not _peers(rows, kind):
            yield f"{kind}: peer", "no package that can be installed has this method", None
            continue
        for n_samples in SIZES:
            if n_samples in LINEAR_SIZES:
                yield from _speed(rows, kind, n_samples, LINEAR_FASTER)
            else:
                yield from _speed(rows, kind, n_samples, 1 / NOT_SLOWER)
        yield from _quality(rows, kind)


def is_ours(row):
    return row["package"] == "consilience"


def name_of(row):
    return f"{row['package']} {row['method']}"


def _peers(rows, kind):
    """Names of peers of a kind that were timed at least once."""
    return {
        name_of(row)
        for row in rows
        if row["kind"] == kind and not is_ours(row) and "seconds" in row
    }


def _timed(rows, kind, n_samples):
    """Rows of the planted main size."""
    return [
        row
        for row in rows
        if row["kind"] == kind
        and row.get("timed")
        and row["ensemble"] == "planted"
        and row["n_members"] == 50
        and row["n_samples"] == n_samples
    ]


def _speed(rows, kind, n_samples, factor):
    """Ours against the fastest peer that came to an end."""
    promise = f"{kind}: n = {n_samples:,}, " + (
        f"at least {factor:g} times faster" if factor > 1 else "not slower"
    )
    found = _timed(rows, kind, n_samples)
    ours = [row for row in found if is_ours(row) and "seconds" in row]
    if not ours:
        tried = [row for row in found if is_ours(row)]
        figures = f"ours: {tried[0]['error']}" if tried else "not measured"
        yield promise, figures, False if tried else None
        return
    seconds = ours[0]["seconds"]
    peers = [row for row in found if not is_ours(row) and "seconds" in row]
    if not peers:
        yield from _alone(rows, kind, promise, seconds, factor, found)
        return
    fastest = min(peers, key=lambda row: row["seconds"])
    ratio = fastest["seconds"] / seconds
    figures = f"{ratio:.1f} times ({seconds:.3g} s; {name_of(fastest)} {fastest['seconds']:.3g} s)"
    yield promise, figures, ratio >= factor


def _alone(rows, kind, promise, seconds, factor, found):
    """No peer came to an end: what they spent before they failed is the least that they need."""
    if not _peers(rows, kind):
        yield promise, "no peer was measured", None
        return
    failed = [row for row in found if not is_ours(row)]
    reasons = sorted({row["error"] for row in failed}) or ["stopped at a smaller n"]
    figures = f"ours {seconds:.3g} s; no peer came to an end: {'; '.join(reasons)}"
    # A size that was not begun would have taken twice the limit, by the growth that is named.
    spent = [
        row.get("after") or (2 * SECONDS if "growth gives" in row["error"] else 0) for row in failed
    ]
    if not failed:
        yield promise, figures, None
        return
    at_least = min(spent) / seconds
    yield promise, f"at least {at_least:.1f} times; {figures}", at_least >= factor or None


def mean_nmi(rows, name, ensemble):
    """Mean NMI over the seeds of one kind of ensemble, and their number."""
    values = [
        row["nmi"]
        for row in rows
        if name_of(row) == name
        and not row.get("timed", True)
        and row["ensemble"] == ensemble
        and "nmi" in row
    ]
    return (sum(values) / len(values) if values else None), len(values)


def _quality(rows, kind):
    ours = {name_of(row) for row in rows if row["kind"] == kind and is_ours(row)}
    for name in sorted(_peers(rows, kind)):
        for ensemble in ("planted", "k-means"):
            theirs, n_theirs = mean_nmi(rows, name, ensemble)
            own, n_own = mean_nmi(rows, next(iter(ours), ""), ensemble)
            promise = f"{kind}: NMI no lower than {name}, {ensemble}"
            if theirs is None or own is None:
                yield promise, "not measured", None
                continue
            seeds = f"{n_own} seeds" if n_own == n_theirs else f"{n_own} and {n_theirs} seeds"
            yield promise, f"{own:.3f} against {theirs:.3f}, {seeds}", own >= theirs - NOT_LOWER
