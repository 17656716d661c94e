# text only
type Shop::Alias = Shop::Port
# @api private
type Shop::Secret = Sensitive[String]
# @summary Two
type Shop::Two = Hash[
  String,
  Integer
]
