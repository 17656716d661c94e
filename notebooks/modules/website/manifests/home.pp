# The home page of a web site: a heading, and links to other pages.
#
# @param heading What stands at the top.
# @param pages The other pages: their names, and their paths.
# @param root The directory that the page is in.
class website::home (
  String[1]                         $heading,
  Hash[String[1], Stdlib::Unixpath] $pages = {},
  Stdlib::Unixpath                  $root  = '/srv/www',
) {
  $links = $pages.map |$text, $path| { website::link($text, $path) }

  file { $root:
    ensure => directory,
  }
  file { "${root}/index.html":
    ensure  => file,
    content => epp('website/home.html.epp', { 'heading' => $heading, 'links' => $links }),
  }
}
