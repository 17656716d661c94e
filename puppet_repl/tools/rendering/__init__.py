"""Rendering: values, errors, tables and documentation as styled text.

Everything here returns lists of ``(style, text)`` fragments; `rendering.fragments` turns them into
plain text or ANSI sequences, the terminal into its own fragments, the kernel into HTML.
"""
