# @return [Integer] wrong type
# @return [String] second
# @param a The a
function corners::odd(
  # a comment before
  Variant[
    String,   # inner
    Integer
  ] $a = [1, # x
    2],
  $b = "x # no comment",
) >> Hash[String,
  Integer] { }
