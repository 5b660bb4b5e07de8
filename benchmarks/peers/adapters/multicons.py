"""MultiCons: frequent closed itemsets of base clusters. Chooses the number of clusters."""

PACKAGE = "multicons"
METHODS = {"multicons": "other"}


def multicons(labels, **_):
    from multicons import MultiCons

    return MultiCons().fit(list(labels.T.astype(int))).labels_
