# @summary The number of an HTTP status.
type Stdlib::Http::Status = Integer[100, 599]
