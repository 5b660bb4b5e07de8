groups <- rep(1:3, each = 20)

separated <- function(seed = 1) {
  set.seed(seed)
  centres <- matrix(rnorm(30 * 3, sd = 3), 30)
  d <- centres[, groups] + matrix(rnorm(30 * 60), 30)
  colnames(d) <- paste0("s", seq_len(60))
  d
}

same_partition <- function(a, b) {
  table <- table(a, b)
  all(rowSums(table > 0) == 1) && all(colSums(table > 0) == 1)
}

test_that("the result has the shape of ConsensusClusterPlus", {
  for (algorithm in c("hc", "km")) {
    found <- consensus_cluster(separated(), maxK = 4, reps = 20, clusterAlg = algorithm, seed = 1)
    expect_length(found, 4)
    expect_null(found[[1]])
    expect_s3_class(found[[3]]$consensusTree, "hclust")
    expect_named(found[[3]]$consensusClass, paste0("s", 1:60))
    expect_null(found[[3]]$consensusMatrix)
    expect_null(found[[3]]$ml)
  }
  expect_true(same_partition(found[[3]]$consensusClass, groups))
})

test_that("the matrix is there on request, and a seed decides everything", {
  one <- consensus_cluster(separated(), 3, 20, seed = 7, consensusMatrix = TRUE)
  two <- consensus_cluster(separated(), 3, 20, seed = 7, consensusMatrix = TRUE)
  expect_identical(one, two)
  M <- one[[3]]$consensusMatrix
  expect_equal(dim(M), c(60L, 60L))
  expect_true(isSymmetric(M))
  expect_identical(M, one[[3]]$ml)
})

test_that("features are sampled, and distances are taken as they are", {
  for (algorithm in c("hc", "km")) {
    found <- consensus_cluster(
      separated(), 3, 20, pFeature = 0.5, clusterAlg = algorithm, seed = 1
    )
    expect_true(same_partition(found[[3]]$consensusClass, groups))
  }
  d <- separated()
  by_distance <- consensus_cluster(dist(t(d)), 3, 20, seed = 1, consensusMatrix = TRUE)
  by_data <- consensus_cluster(d, 3, 20, seed = 1, distance = "euclidean", consensusMatrix = TRUE)
  expect_equal(by_distance[[3]]$consensusMatrix, by_data[[3]]$consensusMatrix)
  expect_named(by_distance[[3]]$consensusClass, paste0("s", 1:60))
})

test_that("bad input is refused in one sentence", {
  d <- separated()
  expect_error(consensus_cluster(d, maxK = 1), "maxK must be a whole number of at least 2")
  expect_error(consensus_cluster(d, pItem = 2), "pItem must be a number above 0 and at most 1")
  expect_error(consensus_cluster(d, maxK = 50), "A subsample of 48 objects has no 50 clusters")
  expect_error(consensus_cluster(dist(t(d)), clusterAlg = "km"), "d holds distances")
  d[1, 1] <- NA
  expect_error(consensus_cluster(d), "finite numbers")
})

test_that("labels are combined, NA is unknown", {
  labels <- data.frame(
    a = c("x", "x", "x", "y", "y", "y"), b = c(2, 2, NA, 1, 1, 1), c = c(1, 1, 1, 1, 2, 2),
    row.names = paste0("p", 1:6)
  )
  found <- combine_labels(labels, 2)
  expect_true(same_partition(found$cluster, c(1, 1, 1, 2, 2, 2)))
  expect_identical(rownames(found), rownames(labels))
  expect_true(all(found$confidence > 0 & found$confidence <= 1))
  expect_error(combine_labels(labels, 2, method = "none"), "^There is no method 'none'[^\n]*$")
  expect_error(combine_labels(labels, 9), "^Concord: n_clusters=9 is more than the number of objects")
  M <- consensus_matrix(labels)
  expect_equal(M["p1", "p3"], 1)
  expect_equal(M["p1", "p4"], 1 / 3)
  expect_equal(M["p3", "p4"], 1 / 2)
})
