"""What types and schemas admit: annotations, JSON Schema, zod."""
