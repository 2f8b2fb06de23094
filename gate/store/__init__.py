"""Where evidence lives: the embedded store, Elasticsearch, and the fusion that both share."""
