"""What Ruby's own library does, where answers depend on it: format, random, JSON, Psych, HOCON."""
