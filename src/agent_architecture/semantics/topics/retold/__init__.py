"""Others' text that a model of the project has read and written anew, where it enters another conversation."""
