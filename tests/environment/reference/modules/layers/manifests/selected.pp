# @summary Defaults that end with brackets, which are lost.
# @param nested A selector in a selector.
# @param parentheses One in parentheses.
class layers::selected (
  String $nested = $facts['os']['family'] ? {
    'windows' => 'a',
    default   => versioncmp($x, '8.0.0') ? { -1 => 'root', default => 'b' }
  },
  String $parentheses = $x ? {
    true    => 'c',
    default => ($facts.dig('a','b') ? {
        undef   => 'd',
        default => $facts.dig('a','b'),
    }),
  },
) {
}
