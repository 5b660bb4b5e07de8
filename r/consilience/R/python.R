# The Python part is loaded at the first call, so that users can choose their Python before.
state <- new.env(parent = emptyenv())

python_part <- function() {
  if (is.null(state$module)) {
    if (!reticulate::py_module_available("consilience")) {
      stop(
        "Python has no package consilience; install it with ",
        "reticulate::py_install(\"consilience\"), or choose another Python with ",
        "reticulate::use_python() or RETICULATE_PYTHON.",
        call. = FALSE
      )
    }
    state$module <- reticulate::import_from_path(
      "consilience_for_r", system.file("python", package = "consilience")
    )
  }
  state$module
}

# Errors of Python as errors of R: the first line, without the name of Python's class.
ask <- function(call) {
  tryCatch(call, error = function(error) {
    message <- sub("^[A-Za-z_.]*(Error|Exception): ", "", trimws(conditionMessage(error)))
    stop(strsplit(message, "\n", fixed = TRUE)[[1]][1], call. = FALSE)
  })
}

as_seed <- function(seed) {
  if (is.null(seed)) {
    return(NULL)
  }
  if (!is.numeric(seed) || length(seed) != 1 || is.na(seed) || seed < 0 || seed != floor(seed)) {
    stop("seed must be a whole number that is not negative, or NULL.", call. = FALSE)
  }
  as.integer(seed)
}

whole_number <- function(value, name, least) {
  if (!is.numeric(value) || length(value) != 1 || is.na(value) || value < least ||
      value != floor(value)) {
    stop(name, " must be a whole number of at least ", least, ".", call. = FALSE)
  }
  as.integer(value)
}

share <- function(value, name) {
  if (!is.numeric(value) || length(value) != 1 || is.na(value) || value <= 0 || value > 1) {
    stop(name, " must be a number above 0 and at most 1.", call. = FALSE)
  }
  as.numeric(value)
}

# Numbers travel as bytes, column by column.
as_bytes <- function(numbers) writeBin(as.numeric(numbers), raw())

from_bytes <- function(bytes) readBin(bytes, "double", length(bytes) / 8)

# Clusterings in columns, NA where unknown -> members in Python, with -1 where unknown.
as_members <- function(labels) {
  labels <- as.data.frame(labels)
  if (ncol(labels) == 0 || nrow(labels) == 0) {
    stop("labels needs at least one row (object) and one column (clustering).", call. = FALSE)
  }
  codes <- vapply(labels, function(column) {
    code <- as.integer(factor(column)) - 1L
    code[is.na(code)] <- -1L
    code
  }, integer(nrow(labels)))
  python_part()$given_members(as_bytes(codes), nrow(labels))
}

# A condensed vector of Python has the order of a dist object of R.
as_distances <- function(values, n, names) {
  structure(
    as.numeric(values), class = "dist", Size = n, Labels = names, Diag = FALSE, Upper = FALSE
  )
}

as_square <- function(pairs, n, names) {
  square <- as.matrix(as_distances(pairs, n, NULL))
  diag(square) <- 1
  dimnames(square) <- if (is.null(names)) NULL else list(names, names)
  square
}
