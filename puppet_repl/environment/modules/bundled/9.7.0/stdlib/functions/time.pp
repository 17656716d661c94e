# @summary Return the seconds since 1970. Deprecated: Integer(Timestamp().strftime('%s')) does it.
#
# @param _timezone
#   A time zone, which makes no difference.
function stdlib::time(
  Optional[String] $_timezone = undef,
) >> Integer {
  # The message is the one of stdlib 9.
  deprecation('time', 'The stdlib `time` function is deprecated. Please direcly use native Puppet functionality instead. eg. `Integer(Timestamp().strftime(\'%s\'))`', false)
  Integer(Timestamp().strftime('%s'))
}
