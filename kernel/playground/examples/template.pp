# A template of Puppet's own, EPP, within the program.
$template = @(EPP)
  <%- | String $domain, Hash[String, Integer] $backends | -%>
  upstream <%= $domain %> {
  <%- $backends.each |$host, $port| { -%>
    server <%= $host %>:<%= $port %>;
  <%- } -%>
  }
  | EPP

$text = inline_epp($template, {
  'domain'   => 'shop.example.com',
  'backends' => { '10.0.0.11' => 8080, '10.0.0.12' => 8080 },
})

notice("${text.split("\n").length} lines")
file { '/etc/nginx/conf.d/upstream.conf':
  content => $text,
}
$text
