"""What every front end shares: settings, history, options of a session, nodes, the commands.

``host.Host`` reads the settings, applies the command line, creates the session, opens the history,
runs the manifests of the environment and the start-up file, and filters log messages. A front end
reads inputs and displays results.
"""
