"""Mutation testing: do the tests of a module notice when the module is wrong?"""
