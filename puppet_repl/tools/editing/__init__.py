"""What editors ask about texts: features as data, in offsets, without any protocol.

``positions`` turns offsets into lines and units and back, ``documents`` holds open texts and their
trees. Nothing is evaluated here.
"""
