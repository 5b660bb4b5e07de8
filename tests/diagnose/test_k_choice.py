"""A choice of the number of clusters as text."""

from sklearn.datasets import make_blobs

from consilience.diagnose import choose_k


def test_the_chosen_row_is_marked():
    X, _ = make_blobs(60, centers=[[0, 0], [9, 9]], random_state=0)
    choice = choose_k(X, candidates=[2, 3], random_state=0)
    marked = [line for line in str(choice).splitlines() if line.endswith(" <")]
    assert len(marked) == 1
    assert marked[0].split()[0] == str(choice.n_clusters)
