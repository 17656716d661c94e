# @summary Values of a file's attribute ensure.
type Stdlib::Ensure::File = Enum['present', 'file', 'directory', 'link', 'absent']
