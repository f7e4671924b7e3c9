"""What packs say of libraries, held against the libraries themselves: read from unpacked archives, never imported."""
