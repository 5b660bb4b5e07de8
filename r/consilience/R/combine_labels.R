combine_labels <- function(labels, k, method = "Concord", seed = 0) {
  k <- whole_number(k, "k", 1)
  members <- as_members(labels)
  found <- matrix(
    from_bytes(ask(python_part()$combine(members, k, method, as_seed(seed)))), ncol = 2
  )
  data.frame(
    cluster = as.integer(found[, 1]) + 1L,
    confidence = found[, 2],
    row.names = rownames(as.data.frame(labels))
  )
}

consensus_matrix <- function(labels) {
  pairs <- from_bytes(ask(python_part()$pair_consensus(as_members(labels))))
  as_square(pairs, nrow(as.data.frame(labels)), rownames(labels))
}
