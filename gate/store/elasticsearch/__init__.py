"""The store on an Elasticsearch server: the same rankings, fused in the same way, as the embedded one."""
