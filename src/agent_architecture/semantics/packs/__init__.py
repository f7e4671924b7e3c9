"""What libraries do, as rows: read from TOML or from the compiled form, indexed by API path."""
