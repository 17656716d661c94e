# @summary The number of an HTTP status.
type Stdlib::HttpStatus = Integer[100, 599]
