"""Who labels a claim: the local judge, a model, or both in tiers."""
