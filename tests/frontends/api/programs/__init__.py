"""Programs as users write them from the documentation; ``test_programs.py`` runs each."""
