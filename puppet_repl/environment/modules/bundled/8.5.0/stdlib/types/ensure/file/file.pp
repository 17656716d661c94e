# @summary Values of ensure for a plain file.
type Stdlib::Ensure::File::File = Enum['file', 'absent']
