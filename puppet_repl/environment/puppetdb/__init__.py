"""What PuppetDB answers: from a JSON file, or from a server at an address.

``pql`` reads the Puppet query language into the language of arrays that PuppetDB calls AST.
``queries`` finds the answers to such arrays in rows. ``answers`` reads the file or asks the server.
"""
