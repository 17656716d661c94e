# @summary An absolute path, of Windows or of Unix.
type Stdlib::Absolutepath = Variant[Stdlib::Windowspath, Stdlib::Unixpath]
