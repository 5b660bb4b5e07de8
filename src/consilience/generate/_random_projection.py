"""k-means on random projections (fern2004, RP)."""

from typing import Any

from consilience._utils._random import RandomState
from consilience.generate._projecting_generator import ProjectingGenerator
from consilience.generate._ranges import Range


class RandomProjection(ProjectingGenerator):
    """k-means on a new random projection of the data for every member (RP).

    A random projection keeps distances roughly and loses different details each time, so that members
    differ and no single direction dominates all of them. The entries of the d x d' matrix R are
    independent standard normal numbers, and every column is scaled to length 1; the columns are not
    made orthogonal. k-means clusters X R.

    Parameters
    ----------
    n_components : int, pair (low, high) or None, default None
        Dimensions of a projection, d', at most d; a pair: drawn for every member; None: as many as the
        principal axes that keep `variance_kept` of the variance, at least 2.
    variance_kept : float, default 0.9
        Share of the variance that the principal axes keep if `n_components` is None.
    random_state : int, generator or None, default None
        Decides projections, starting rows and numbers drawn.

    Attributes
    ----------
    ensemble_ : Ensemble
        The members, with their centres, in the projections, as cluster table.
    projections_ : list of arrays (d, d')
        R of every member.
    n_iter_

    See Also
    --------
    ProjectedPCA : Principal axes of a random projection.
    FeatureSubsets : Random columns instead of random directions.

    Notes
    -----
    O(n d d' + n K d') for every member and round of k-means. Four members share one product of the
    data with their projections, which bounds memory by 4 n d' numbers for each worker. No label is
    missing. float32 data are projected and clustered in float32, all others in float64. Beyond 1,000
    columns, the default number of dimensions is that of 1,000 rows drawn at random.

    The papers do not say whether the data are scaled or centred; they are not scaled here unless asked,
    and k-means does not depend on a shift.

    References
    ----------
    [fern2004]_, section 3.1

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.pipeline import make_pipeline
    >>> from consilience.consensus import HBGF
    >>> from consilience.generate import RandomProjection
    >>> X, y = load_digits(return_X_y=True)
    >>> members = RandomProjection(n_members=10, n_clusters=15, random_state=0)
    >>> make_pipeline(members, HBGF(10, random_state=0)).fit_predict(X).shape
    (1797,)
    >>> members.projections_[0].shape
    (64, 21)
    """

    def __init__(  # noqa: PLR0913 - every parameter has a name and a default
        self,
        *,
        n_members: int = 50,
        n_clusters: Range = None,
        n_components: Range = None,
        variance_kept: float = 0.9,
        max_iter: int = 300,
        tol: float = 1e-4,
        scaling: str | None = None,
        random_state: RandomState = None,
        n_jobs: int | None = None,
        checkpoint: Any = None,
        verbose: int | None = None,
    ) -> None:
        self.n_members = n_members
        self.n_clusters = n_clusters
        self.n_components = n_components
        self.variance_kept = variance_kept
        self.max_iter = max_iter
        self.tol = tol
        self.scaling = scaling
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.checkpoint = checkpoint
        self.verbose = verbose
