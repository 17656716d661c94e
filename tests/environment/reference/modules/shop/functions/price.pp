# @summary What something costs
# @param what The thing
# @param rest Others
# @return [Numeric] The price
#   in Euro
# @example
#   shop::price('apple')
function shop::price(String $what, Array *$rest) >> Variant[Integer, Float] {
  1
}
