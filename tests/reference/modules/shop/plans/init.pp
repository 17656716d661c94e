plan shop($targets) { }
