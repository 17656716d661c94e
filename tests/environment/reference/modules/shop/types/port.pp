# @summary A port
# @example
#   80
# @see Shop::Host
type Shop::Port = Integer[0, 65535]
