# @summary Values of ensure for a directory.
type Stdlib::Ensure::File::Directory = Enum['directory', 'absent']
