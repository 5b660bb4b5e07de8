"""The labels of "auto" on labelled tables, beside other ways to find the number of clusters."""
