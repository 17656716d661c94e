# @summary Values of ensure for a symbolic link.
type Stdlib::Ensure::File::Link = Enum['link', 'absent']
