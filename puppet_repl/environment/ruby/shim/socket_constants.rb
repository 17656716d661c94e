# Stands for Ruby's socket where there are no sockets: the constants that ipaddr needs.

class Socket
  AF_UNSPEC = 0
  AF_INET = 2
  AF_INET6 = 10
end

class IPSocket
  def self.getaddress(name)
    raise SocketError, "getaddrinfo: there is no network here (#{name})"
  end
end

class SocketError < StandardError; end
