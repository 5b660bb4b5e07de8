"""Consilience itself: every kind of method that has a peer, with its own defaults."""

PACKAGE = "consilience"
METHODS = {
    "kmcf": "KMCF",
    "ibgf": "IBGF",
    "cspa": "CSPA",
    "nmfc": "NMFC",
    "hbgf": "HBGF",
    "mcla": "MCLA",
    "lwgp": "LWGP",
    "hgpa": "HGPA",
    "hac": "HAC",
    "voting": "PluralityVoting",
    "mixture": "MultinomialMixture",
}


def _fit(name, labels, n_clusters, n_init, seed):
    from consilience import consensus

    function = getattr(consensus, name)
    given = {"n_init": n_init, "random_state": seed}
    given = {key: value for key, value in given.items() if key in function.parameters}
    return function(n_clusters=n_clusters, **given).fit_predict(labels)


def kmcf(labels, n_clusters, n_init, seed):
    return _fit("KMCF", labels, n_clusters, n_init, seed)


def ibgf(labels, n_clusters, n_init, seed):
    return _fit("IBGF", labels, n_clusters, n_init, seed)


def cspa(labels, n_clusters, n_init, seed):
    return _fit("CSPA", labels, n_clusters, n_init, seed)


def nmfc(labels, n_clusters, n_init, seed):
    return _fit("NMFC", labels, n_clusters, n_init, seed)


def hbgf(labels, n_clusters, n_init, seed):
    return _fit("HBGF", labels, n_clusters, n_init, seed)


def mcla(labels, n_clusters, n_init, seed):
    return _fit("MCLA", labels, n_clusters, n_init, seed)


def lwgp(labels, n_clusters, n_init, seed):
    return _fit("LWGP", labels, n_clusters, n_init, seed)


def hgpa(labels, n_clusters, n_init, seed):
    return _fit("HGPA", labels, n_clusters, n_init, seed)


def hac(labels, n_clusters, n_init, seed):
    return _fit("HAC", labels, n_clusters, n_init, seed)


def voting(labels, n_clusters, n_init, seed):
    return _fit("PluralityVoting", labels, n_clusters, n_init, seed)


def mixture(labels, n_clusters, n_init, seed):
    return _fit("MultinomialMixture", labels, n_clusters, n_init, seed)
