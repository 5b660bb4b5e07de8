"""Al-Razgan, Domeniconi (2006): Weighted Clustering Ensembles.

**The claim.** LAC weighs the features in every cluster, but nobody knows its parameter h.
Combining runs with different h by WSPA or WBPA, which use how sure every run is, gives a consensus
that is as good as the best run or better, errs less often than CSPA and MCLA on the same runs, and
less often than LAC on average.

**Systems.** LAC; WSPA and WBPA, cut by METIS; CSPA, MCLA and HGPA of ClusterPack. All are here.

**Protocol.** One LAC run for every 1/h from 1 to 12, all from the same well-scattered centres, with
as many clusters as there are classes. WSPA and WBPA combine the posteriors, CSPA, MCLA and HGPA the
labels. NMI and error (best one-to-one matching) with the classes, and the largest, smallest and
mean value of the LAC runs. All values are means over starts: 3 in the quick version, 20 in the full
one. Graphs are cut by METIS, as in the paper.

**What the paper does not say.** The units of the features, on which h and the posteriors depend:
every line is judged twice, with standardised features, and with all features divided by one number,
the largest standard deviation among them, which was picked among six units because it comes nearest
to the printed errors; a line is "partly" where they differ. The grid of 1/h and the number of runs.
The parameters of Three-Gaussian: ours are in `make_three_gaussians`, and its table cannot be
judged.

**No one can repeat.** Modis-4, the drawn rows of WDBC and Breast, Three-Gaussian. Figures 2, 3 and
7 are pictures of data, figure 1 is a drawing; the curves of figures 5 and 10 to 16 are lost in the
text.

**Our deviations.**

* The table of choices repeats everything with features divided by their largest absolute value, and
  as given.
* The first centre is the row furthest from a random one, the next ones furthest-first.
* WBPA is shown with our own search for the cut too. On the real sets both give the same errors; on
  Three-Gaussian METIS misses the cut, which explains why its mean over all sets lies above those of
  CSPA and MCLA in the table of choices. METIS balances the objects, not the vertices of clusters.
  HGPA is cut by Mt-KaHyPar.
* Two-Gaussian: the printed spreads are read as variances; as standard deviations no method could
  reach the printed error of 0.
* Section 5 is shown in both units, and in features divided by 5.5, a number fitted to the printed
  weights; table 3 is repeated in that unit on 20 draws.
* WDBC has 30 features (the paper counts 31).
"""
