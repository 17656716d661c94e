$text = @(END)
  Puppet lets you describe the state that a system is to have, in a language of its own.
  Resources are declared, and the order in which they are applied follows from relationships;
  classes collect them, defined types repeat them, and data from Hiera fills their parameters.
  | END
$lines = Integer[1, 60].map |$n| { $text.split("\n").map |$line| { "${n}: ${line.strip}" } }.flatten
$words = $lines.map |$line| { $line.downcase.split(/[^a-z0-9]+/) }.flatten.filter |$word| { $word != '' }
$groups = $words.group_by |$word| { $word[0, 1] }
$longest = $groups.map |$letter, $all| { [$letter, $all.unique.map |$word| { $word.length }.max] }
notice($longest.sort |$a, $b| { compare($a[1], $b[1]) })
$titles = $words.unique.map |$word| {
  case $word {
    /\A\d+\z/: { Integer($word) }
    /(.)\1/: { regsubst($word, /(.)\1/, '<\1>', 'G') }
    /ed\z/, /s\z/: { $word.capitalize }
    default: { sprintf('%-12s|%3d', $word, $word.length) }
  }
}
notice($titles.join(' '))
