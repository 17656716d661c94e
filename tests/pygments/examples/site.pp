# Everything that a manifest may hold, once.
#
# @summary A class with documentation
# @param port   The port to listen on
# @example Plain use
#   include web::server
class web::server (
  Integer[1, 65535]           $port     = 80,
  Optional[Enum['a', "b"]]    $kind     = undef,
  Variant[Boolean, Pattern[/\Ax{2,}\/?\z/, /y|z/]] $flag = true,
  Hash[String[1], Struct[{name => String, Optional[size] => Integer}]] $parts = {},
  Array[Web::Part, 0, default] *$rest,
) inherits ::web::params {
  contain web::install, ::web::config
  include web::service
  require 'stdlib'

  $path = "/etc/web/${port}/${parts['main']['name']}.conf"
  $total = $parts.reduce(0) |$sum, $pair| { $sum + $pair[1]['size'] / 2 }
  $half = ($total + 1) / 2 / 1.5e-3
  $hex = 0xFF + 0777 - -1
  $text = "tab\t quote\" dollar\$ ${$total.map |$x| { "in ${x} ${[1, {'k' => "}"}]}" }} end \u{1F600} \u00e9 $path $::web::x::y-1 $"
  $raw = 'it''s' 'C:\\' 'don\'t'

  file { $path:
    ensure  => file,
    mode    => '0644',
    unless  => 'x',
    content => epp('web/main.conf.epp', { port => $port }),
    before  => [File['/tmp/a'], Web::Part["${port}"]],
    *       => $rest[0],
  }
  ~> service { ['web', 'other']: ensure => running, enable => true }
  -> Package <| tag == 'x' and (name != y or title == 'z') |> { ensure => latest }
  <- Class['web::install'] <~ Exec <<| |>>

  @user { alice: uid => 1000; bob: uid => 1001, }
  @@nagios_host { $facts['networking']['fqdn']: address => $facts['networking']['ip'] }
  File { owner => root }
  File['/tmp/a'] { mode +> '0600' }
  ::web::part { 'default': }
  class { 'apache': mpm_module => prefork-worker }
}

define web::part(String $source = $title, $size = undef,) {
  if $size =~ Integer and $size > 10 or $size in [1, 2, 3] {
    notice "big ${size}"
  } elsif !$size {
    warning('none')
  } else {
    fail "unexpected"
  }
  unless defined(File[$source]) { notify { $source: } }
  case $facts['os']['family'] {
    'Debian', /^(?i:ubuntu)/: { $package = 'web' }
    Enum[x, y]: { $package = foo-bar }
    default: { $package = undef }
  }
  $which = $size ? {
    undef   => small,
    1       => 'one',
    /\d\/2/ => half,
    default => large,
  }
  $first = $rest[0][1, -1] % 2 << 3
  $a = [1, 2, 3].filter |$i| { $i != 2 }.each |Integer $i, $v| { notice $v }
  $joined = join($a, ', ').upcase
  [$x, $y] = [$1, $0]
  $long = /* in
    between */ 10 / 2 # it's a comment
    / 5
  lint::me { x: } # lint:ignore:140chars
}

function web::add(Numeric $a, Numeric $b = 1) >> Numeric {
  return $a + $b
}

type Web::Part = Struct[{ name => String[1], size => Optional[Integer] }]
type Web::Obj = Object[{ attributes => { type => String } }]

node 'web01.example.com', /^db\d+\.example\.com$/, default {
  include web::server
}
node web02.example.com { tag 'x' }

$mixed = @("END":json/tn$), @(RAW)
  {"a": "${mixed}\t", "b": "\$x $y \x"}
  ${ if true { 'quoted "}" ' } else { /}/ } }
  | END
plain ${text} \n
  - RAW
$after = $mixed / 2
