"""A file a package: functions of labels, n_clusters, n_init and seed that give labels."""
