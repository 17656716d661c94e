# Return a link to a page, in HTML.
#
# @param text What the reader sees.
# @param path Where the link leads.
# @return The link.
# @example
#   website::link('News', '/news')  # => '<a href="/news">News</a>'
function website::link(String[1] $text, Stdlib::Unixpath $path) >> String {
  "<a href=\"${path}\">${text}</a>"
}
