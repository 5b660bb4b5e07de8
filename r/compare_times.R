# Time of ConsensusClusterPlus and of consensus_cluster() on the same data, side by side.
#
#     Rscript r/compare_times.R
suppressMessages({
  library(ConsensusClusterPlus)
  library(consilience)
})

simulated <- function(n) {
  set.seed(n)
  centres <- matrix(rnorm(50 * 4, sd = 2), 50)
  centres[, rep_len(1:4, n)] + matrix(rnorm(50 * n), 50)
}

seconds <- function(call) unname(system.time(call)["elapsed"])

theirs <- function(...) {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  suppressMessages(ConsensusClusterPlus(...))
}

invisible(consensus_cluster(simulated(50), 3, 5, clusterAlg = "km", seed = 1)) # start Python, compile
cat("| objects | algorithm | ConsensusClusterPlus | consensus_cluster | same classes, k = 4 |\n")
cat("| ---: | --- | ---: | ---: | --- |\n")
for (n in c(100, 300, 1000)) {
  for (algorithm in c("hc", "km")) {
    d <- simulated(n)
    one <- seconds(a <- theirs(d, maxK = 5, reps = 50, clusterAlg = algorithm, seed = 1))
    two <- seconds(b <- consensus_cluster(d, 5, 50, clusterAlg = algorithm, seed = 1))
    same <- all(a[[4]]$consensusClass == b[[4]]$consensusClass)
    cat(sprintf("| %d | %s | %.1f s | %.1f s | %s |\n", n, algorithm, one, two, same))
  }
}
