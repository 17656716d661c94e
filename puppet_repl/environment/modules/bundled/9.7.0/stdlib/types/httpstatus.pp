# @summary The number of an HTTP status: an older name of Stdlib::Http::Status.
type Stdlib::HttpStatus = Stdlib::Http::Status
