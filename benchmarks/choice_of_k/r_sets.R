# Labelled sets that ship with R packages, as NAME.csv.gz with the column `class` last:
#
#     apt-get install r-base-core r-cran-mlbench r-cran-mclust r-cran-kernlab r-cran-mass r-cran-dslabs \
#         r-cran-palmerpenguins r-cran-modeldata r-cran-cluster r-bioc-all r-bioc-bladderbatch
#     Rscript benchmarks/choice_of_k/r_sets.R FOLDER
#     CONSILIENCE_DATA=FOLDER python -m benchmarks.choice_of_k real --sets folder
#
# Rows with missing values are left out; large sets have 2,000 rows drawn with seed 1.

folder <- commandArgs(trailingOnly = TRUE)[1]

# One object of a package.
get_data <- function(item, package, name = item) {
  where <- new.env()
  data(list = item, package = package, envir = where)
  get(name, where)
}

write_set <- function(name, X, class) {
  X <- data.matrix(as.data.frame(X))
  known <- complete.cases(X) & !is.na(class)
  X <- X[known, , drop = FALSE]
  class <- as.integer(factor(class[known]))
  if (nrow(X) > 2000) {
    set.seed(1)
    rows <- sample(nrow(X), 2000)
    X <- X[rows, , drop = FALSE]
    class <- class[rows]
  }
  file <- gzfile(file.path(folder, paste0(name, ".csv.gz")), "w")
  write.csv(cbind(X, class = class), file, row.names = FALSE)
  close(file)
}

numbers <- function(table) table[, sapply(table, is.numeric)]
# The thousand genes with the largest variance.
genes <- function(X) X[, order(-apply(X, 2, var))[1:1000]]

d <- get_data("Vowel", "mlbench"); write_set("vowel", d[, 2:10], d$Class)
d <- get_data("Vehicle", "mlbench"); write_set("vehicle", d[, 1:18], d$Class)
d <- get_data("Sonar", "mlbench"); write_set("sonar", d[, 1:60], d$Class)
d <- get_data("PimaIndiansDiabetes", "mlbench"); write_set("pima", d[, 1:8], d$diabetes)
d <- get_data("Shuttle", "mlbench"); write_set("shuttle", d[, 1:9], d$Class)
d <- get_data("HouseVotes84", "mlbench"); write_set("votes", sapply(d[, -1], as.integer), d$Class)
d <- get_data("DNA", "mlbench"); write_set("dna", sapply(d[, -181], as.integer) - 1, d$Class)
d <- get_data("banknote", "mclust"); write_set("banknote", d[, -1], d[, 1])
d <- get_data("diabetes", "mclust"); write_set("diabetes", d[, -1], d[, 1])
d <- get_data("crabs", "MASS"); write_set("crabs", d[, 4:8], paste(d$sp, d$sex))
d <- get_data("olive", "dslabs")
write_set("olive_region", d[, 3:10], d$region)
write_set("olive_area", d[, 3:10], d$area)
d <- get_data("tissue_gene_expression", "dslabs"); write_set("tissue", d$x, d$y)
d <- get_data("penguins", "palmerpenguins"); write_set("penguins", d[, 3:6], d$species)
d <- get_data("spam", "kernlab"); write_set("spam", d[, 1:57], d$type)
d <- get_data("musk", "kernlab"); write_set("musk", d[, 1:166], d[, 167])
for (name in c("oils", "pd_speech", "cells")) {
  d <- as.data.frame(get_data(name, "modeldata"))
  write_set(name, numbers(d), d$class)
}
suppressMessages(library(Biobase))
d <- get_data("ALL", "ALL"); write_set("all_BT", genes(t(exprs(d))), substr(as.character(pData(d)$BT), 1, 1))
d <- get_data("bladderdata", "bladderbatch", "bladderEset")
write_set("bladder", genes(t(exprs(d))), pData(d)$cancer)
# Pictures of clusters that everybody sees; without classes, so that other methods make the labels.
d <- as.matrix(get_data("ruspini", "cluster"))
write_set("ruspini", d, cutree(hclust(dist(d), "average"), 4))
set.seed(1)
d <- get_data("wreath", "mclust"); write_set("wreath", d, kmeans(d, 14, nstart = 200)$cluster)
d <- as.matrix(get_data("xclara", "cluster")); write_set("xclara", d, kmeans(d, 3, nstart = 20)$cluster)
