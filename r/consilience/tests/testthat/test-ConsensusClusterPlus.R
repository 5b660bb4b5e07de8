# Beside ConsensusClusterPlus itself, which hands its subsamples to a function of ours.
theirs <- function(d, ...) {
  file <- tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  on.exit({
    grDevices::dev.off()
    unlink(file)
  })
  suppressMessages(ConsensusClusterPlus::ConsensusClusterPlus(d, ...))
}

data_of <- function(noise) {
  set.seed(3)
  centres <- matrix(rnorm(25 * 4, sd = 2), 25)
  d <- centres[, rep(1:4, each = 20)] + matrix(rnorm(25 * 80, sd = noise), 25)
  colnames(d) <- paste0("s", seq_len(80))
  d
}

test_that("the same clusterings of the same subsamples give the same consensus matrix", {
  skip_if_not_installed("ConsensusClusterPlus")
  d <- data_of(3)
  recorded <- list()
  # ConsensusClusterPlus looks clusterAlg up by its name.
  assign("recording_tree", function(distances, k) {
    found <- cutree(hclust(distances, "average"), k)
    row <- rep(NA_integer_, ncol(d))
    row[match(labels(distances), colnames(d))] <- found
    key <- as.character(k)
    recorded[[key]] <<- c(recorded[[key]], list(row))
    found
  }, envir = globalenv())
  on.exit(rm("recording_tree", envir = globalenv()))
  result <- theirs(d, maxK = 5, reps = 30, clusterAlg = "recording_tree", seed = 1)
  for (k in 2:5) {
    labels <- do.call(cbind, recorded[[as.character(k)]])
    expect_equal(dim(labels), c(80L, 30L))
    expect_lt(max(abs(consensus_matrix(labels) - result[[k]]$consensusMatrix)), 1e-6)
    ours <- cutree(hclust(as.dist(1 - consensus_matrix(labels)), "average"), k)
    expect_identical(unname(ours), unname(result[[k]]$consensusClass))
  }
})

test_that("subsamples of its own give the same classes, and matrices within the sampling error", {
  skip_if_not_installed("ConsensusClusterPlus")
  for (algorithm in c("hc", "km")) {
    d <- data_of(0.5)
    result <- theirs(d, maxK = 4, reps = 50, clusterAlg = algorithm, seed = 1)
    found <- consensus_cluster(d, 4, 50, clusterAlg = algorithm, seed = 1)
    expect_identical(found[[4]]$consensusClass, result[[4]]$consensusClass)
  }
  d <- data_of(3)
  result <- theirs(d, maxK = 4, reps = 400, clusterAlg = "hc", seed = 1)
  again <- theirs(d, maxK = 4, reps = 400, clusterAlg = "hc", seed = 2)
  found <- consensus_cluster(d, 4, 400, seed = 1, consensusMatrix = TRUE)
  for (k in 2:4) {
    own <- sqrt(mean((result[[k]]$consensusMatrix - again[[k]]$consensusMatrix)^2))
    between <- sqrt(mean((result[[k]]$consensusMatrix - found[[k]]$consensusMatrix)^2))
    expect_lt(between, 1.5 * own)
  }
})

test_that("calcICL of ConsensusClusterPlus reads the result", {
  skip_if_not_installed("ConsensusClusterPlus")
  found <- consensus_cluster(data_of(1), 4, 20, seed = 1, consensusMatrix = TRUE)
  file <- tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  on.exit({
    grDevices::dev.off()
    unlink(file)
  })
  judged <- ConsensusClusterPlus::calcICL(found)
  expect_equal(nrow(judged$clusterConsensus), 2 + 3 + 4)
})
