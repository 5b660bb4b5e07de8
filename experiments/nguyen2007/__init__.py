"""Nguyen and Caruana (2007): consensus clusterings.

**What the paper says.** Three iterative methods, IVC, IPVC and IPC, find clusterings that are as
good as, and often better than, those of eleven other consensus methods, on three criteria:
agreement with the members (consensus Rand distance), compactness in the feature space, and accuracy
(purity). They stop after fewer than 40 rounds. Members are better starts than random partitions. In
an example of six objects they find clusters that methods based on similarities miss.

**Protocol.** Ensembles of 200 members with as many clusters as the consensus is to have, by two
generators: k-means from random centres, and k-means on features weighted by a Zipf distribution.
Fourteen methods: IVC, IPVC and IPC from 100 starts, HAC, FC, CSPA, HGPA, MCLA, QMI (our KMCF), EM
(our MultinomialMixture), CCC, CCU, CCSVD and BEST. Ranks are those among the fourteen in one
ensemble, equal values sharing the mean of theirs; the smaller the better. The three proposed
methods also start from 100 random partitions. There is one ensemble for every set and generator;
that of the quick version has 100 members.

**Systems.** Fourteen methods and two generators. All are here; details of IPVC and IPC, which the
paper leaves to a long version that cannot be had, and of CCC, CCU and CCSVD are ours.

**The paper prints no tables of results**: figure 3 shows them, and its numbers cannot be read. The
sentences of section 8 about it are judged, on Covertype and Letters; DIGITS, which is not in the
paper, is shown beside and judges nothing. Its worked example, figure 1, is compared, and all
methods are run on it.

**No one can repeat.** Australia and Bergmark; the rows of Covertype and the letters of Letters.

**Where we had to decide.**

* Of the 100 starts, the paper keeps the best by the criterion in use (section 4), and so do the
  lines; under accuracy this uses the known classes ("by classes"), so that its figures are no
  result of clustering alone. The tables also have the start of smallest consensus Rand distance for
  all criteria.
* Every member is one run of k-means, until no label changes.
* Similarity methods, in the example of figure 1, are HAC, FC and CSPA; graph-based ones are CSPA,
  HGPA and MCLA, as in section 3.2.
* Details of CCC, CCU and CCSVD are ours. Parameters of the Zipf distribution are ours. Ten starts
  of EM.
* CSPA and MCLA are cut by METIS, as in section 3.2; HGPA by Mt-KaHyPar in place of HMETIS, with 5 %
  imbalance. HGPA counts hyperedges, each as one.
* An object counts in its own cluster; empty clusters are dropped, so that fewer clusters than asked
  for may come out.
* Compactness takes Euclidean distances. BEST is the best member under the criterion at hand; under
  accuracy it looks at the classes, which no method may.
* Ties of FC go to the first.
* IPVC and IPC make identical choices (the distance of one is a linear function of the similarity of
  the other), so they share every rank; the paper lists them apart.
* Columns are standardised, for members and for compactness; constant ones are left at zero. The
  paper does not say what it did.
* "(Adjusted) Rand" in the paper is the plain Rand distance.
* Covertype and Letters: the paper does not say which rows. Ours, drawn with seed 0, are 1000 rows
  of Covertype (54 columns of which 45 vary, where the paper counts 49) and 514 rows of seven
  letters of ISOLET.
* DIGITS (scikit-learn's, 10 clusters) is in the tables, and in no verdict.
"""
