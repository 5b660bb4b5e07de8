consensus_cluster <- function(d, maxK = 3, reps = 10, pItem = 0.8, pFeature = 1,
                              clusterAlg = c("hc", "km"), innerLinkage = "average",
                              finalLinkage = "average",
                              distance = c(
                                "pearson", "spearman", "euclidean", "manhattan", "maximum"
                              ),
                              seed = NULL, consensusMatrix = FALSE) {
  clusterAlg <- match.arg(clusterAlg)
  distance <- match.arg(distance)
  innerLinkage <- match.arg(innerLinkage, c("average", "single", "complete"))
  maxK <- whole_number(maxK, "maxK", 2)
  reps <- whole_number(reps, "reps", 1)
  pItem <- share(pItem, "pItem")
  pFeature <- share(pFeature, "pFeature")
  seed <- as_seed(seed)
  given <- inherits(d, "dist")
  if (given && (clusterAlg == "km" || pFeature < 1)) {
    stop("d holds distances: clusterAlg must be \"hc\" and pFeature 1.", call. = FALSE)
  }
  if (!given) {
    d <- as.matrix(d)
    if (!is.numeric(d) || !all(is.finite(d))) {
      stop("d must be a matrix of finite numbers, features in rows, or a dist object.", call. = FALSE)
    }
  }
  names <- if (given) attr(d, "Labels") else colnames(d)
  n <- if (given) attr(d, "Size") else ncol(d)
  if (floor(n * pItem) < maxK) {
    stop(
      "A subsample of ", floor(n * pItem), " objects has no ", maxK, " clusters; lower maxK.",
      call. = FALSE
    )
  }
  python <- python_part()
  bytes <- as_bytes(d)
  members <- ask(if (clusterAlg == "hc") {
    kind <- if (given) "given" else distance
    python$tree_members(bytes, n, maxK, reps, pItem, pFeature, innerLinkage, kind, seed)
  } else {
    python$kmeans_members(bytes, n, maxK, reps, pItem, pFeature, seed)
  })
  result <- vector("list", maxK)
  for (k in 2:maxK) {
    pairs <- from_bytes(ask(python$pair_consensus(members, k)))
    tree <- hclust(as_distances(1 - pairs, n, NULL), method = finalLinkage)
    class <- cutree(tree, k)
    names(class) <- names
    element <- list(
      consensusMatrix = NULL, consensusTree = tree, consensusClass = class, ml = NULL,
      clrs = list(hcl.colors(k, "Dark 3")[class])
    )
    if (consensusMatrix) {
      element$consensusMatrix <- element$ml <- as_square(pairs, n, NULL)
    }
    result[[k]] <- element
  }
  result
}
