# (see corners)
# @summary Reference
# @param a (see corners::none)
class corners::see($a) { }
# @summary A summary of more than one hundred and forty characters, which is longer than what is
#   recommended for one, so that there is a warning about it at the end of all of this text.
class corners::long { }
#
#
# Text after empty lines
#
class corners::empty_lines { }
    # @summary Indented
    # @param x
    #   y
    class corners::indented ($x) { }

# @summary a
# @summary b
# @param x first
# @param x second
class corners::twice ($x) { }
