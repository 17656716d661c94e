# @summary The number of a TCP or UDP port.
type Stdlib::Port = Integer[0, 65535]
