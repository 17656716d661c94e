"""What surrounds a program: modules, Hiera, facts, Ruby of modules, documentation of modules."""
