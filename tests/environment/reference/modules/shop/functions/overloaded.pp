# Several ways.
# @overload shop::overloaded(a)
#   One of them.
#   @param [String] a The a
#   @return [String] text
# @overload shop::overloaded(a, b = 1)
#   @param a [Integer] The a
#   @param b [Integer] The b
#   @example Both
#     shop::overloaded(1, 2)
function shop::overloaded($a, $b = 1) >> String { "" }
