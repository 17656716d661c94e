# @summary Greets those who log in.
#
# Writes `/etc/motd` from {motd::greeting}, and what `lines` has below it:
#
# | mode   | who may read it |
# | ------ | --------------- |
# | `0644` | everybody       |
# | `0600` | root            |
#
# @param place
#   Where the text is written.
# @param mode
#   See the table.
# @param lines
#   What follows the greeting, from `--verbose` hosts for example.
# @param limits
#   What is cut.
# @example Another place
#   class { 'motd':
#     place => '/run/motd',
#   }
# @see motd::greeting
# @since 1.2
class motd (
  Stdlib::Absolutepath $place = '/etc/motd',
  Motd::Mode $mode = '0644',
  Array[String] $lines = [],
  Struct[{
    Optional[width]  => Integer[1], # in columns
    Optional[height] => Integer[1], # in lines
    Optional[links]  => Enum['keep', 'cut', 'number'],
  }] $limits = {},
  Boolean $colour = false,
) {
  file { $place:
    mode    => $mode,
    content => ([motd::greeting($facts['networking']['hostname'])] + $lines).join("\n"),
  }
}
