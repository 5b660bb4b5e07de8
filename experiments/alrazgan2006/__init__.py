"""Al-Razgan, Domeniconi (2006): Weighted Clustering Ensembles.

**The claim.** LAC weighs the features in every cluster, but nobody knows its parameter h.
Combining runs with different h by WSPA or WBPA, which use how sure every run is, gives a consensus
that is as good as the best run or better, errs less often than CSPA and MCLA on the same runs, and
less often than LAC on average.

**Protocol.** One LAC run for every 1/h from 1 to 12, all from the same well-scattered centres,
with as many clusters as there are classes. WSPA and WBPA combine the posteriors, CSPA, MCLA and HGPA
the labels. NMI and error (best one-to-one matching) with the classes, and the largest, smallest and
mean value of the LAC runs. All values are means over starts: 3 in the quick version, 20 in the
full one; the paper does not say how many it used.

**Rules.** Every claim has its rule beside its figures, written before the full protocol was run. The
paper does not name the units of the features, and h and the posteriors depend on them, so every claim
is judged twice: with standardised features, and with all features divided by one number, the
largest standard deviation among them. The second was picked among six units because it comes nearest
to the printed errors, after they were seen. A claim is "partly" where the two units differ.

**Our deviations.**

* The table of choices repeats everything with features divided by their largest absolute
  value, and as given.
* The first centre is the row furthest from a random one, the next ones furthest-first; the
  grid of 1/h and its size are read off the figures.
* Graphs are cut by METIS, into equal parts for WSPA and CSPA. WBPA balances the objects only,
  by our own search: METIS ends far from the best cut of so dense a bipartite graph for more
  than two clusters. The table of choices has WBPA by METIS too, and all four functions by spectral
  clustering. HGPA by Mt-KaHyPar.
* Two-Gaussian: the printed spreads are read as variances; as standard deviations no method could
  reach the printed error of 0. Three-Gaussian: the paper does not print its parameters, ours are
  in `make_three_gaussians`.
* The weights of section 5 are shown in both units, and in features divided by 5.5, a number
  fitted to the printed weights.
* WDBC: 30 features (the paper counts 31), and the 212 benign rows are our draw, as are the 239 of
  Breast.
* No numbers are printed with figures 2 to 4 and 6 to 9; their direction is judged.
"""
