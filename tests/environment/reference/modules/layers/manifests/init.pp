# @summary Parameters with values in the data of the module.
#
# @param text
#   A text.
# @param block
#   Several lines.
# @param in_code
#   The code has the last word.
# @param gone
#   No parameter any more.
class layers (
  String $text,
  String $block,
  Optional[String] $empty,
  Optional[String] $null,
  String $symbol,
  Optional[String] $nothing,
  String $word,
  Integer $number,
  Float $float,
  Float $large,
  Boolean $yes,
  Array $list,
  Hash $hash,
  Optional[String] $undef_in_code = undef,
  String $in_code = 'code',
  String $secret,
  String $interpolated,
  String $bytes,
  String $second,
  String $other,
  $untyped,
) {
}
