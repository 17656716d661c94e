"""What every front end shares: settings, history, options of a session, nodes, the commands."""
