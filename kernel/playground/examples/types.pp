# Every value has a type, and types can be asked about values.
type Port = Integer[1, 65535]

function describe(Variant[Port, Stdlib::Fqdn] $where) >> String {
  $where ? {
    Port    => "port ${where}",
    default => "host ${where}",
  }
}

notice(describe(8080))
notice(describe('web01.example.com'))
notice('eighty' =~ Port)

# The value of the last expression is the result.
$report = {
  'a number' => type(42, 'generalized'),
  'a list'   => type([1, 2.5, 'three'], 'generalized'),
  'ports'    => [22, 80, 70000].filter |$number| { $number =~ Port },
}
