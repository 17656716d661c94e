# What there is of sockets in the sandbox: the constants that other libraries use at load time, and
# classes whose use fails with a clear error.

class SocketError < StandardError
end

class BasicSocket < IO
  %i[new open for_fd getaddress tcp udp unix tcp_server_sockets gethostbyname getaddrinfo
     getifaddrs ip_address_list].each do |name|
    define_singleton_method(name) do |*, **|
      PuppetRepl::Sandbox.refuse("#{self.name}.#{name}", SocketError)
    end
  end
end

class Socket < BasicSocket
  AF_UNSPEC = PF_UNSPEC = 0
  AF_UNIX = PF_UNIX = 1
  AF_INET = PF_INET = 2
  AF_INET6 = PF_INET6 = 10
  SOCK_STREAM = 1
  SOCK_DGRAM = 2
  IPPROTO_TCP = 6
  IPPROTO_UDP = 17
  IPPROTO_IPV6 = 41
  SOL_SOCKET = 1
  SO_REUSEADDR = 2
  SO_KEEPALIVE = 9
  TCP_NODELAY = 1
  IPV6_V6ONLY = 26
  INADDR_ANY = 0
  SOMAXCONN = 128

  # The constants under their second name.
  module Constants
    Socket.constants(false).grep(/\A[A-Z0-9_]+\z/).each { |name| const_set(name, Socket.const_get(name)) }
  end

  ResolutionError = Class.new(SocketError)

  class << self
    # The name of the node is a fact, which code can ask for.
    def gethostname
      'localhost'
    end
  end
end

class IPSocket < BasicSocket
end

class TCPSocket < IPSocket
end

class TCPServer < TCPSocket
end

class UDPSocket < IPSocket
end

class UNIXSocket < BasicSocket
end

class UNIXServer < UNIXSocket
end

class Addrinfo
  %i[new tcp udp ip unix getaddrinfo].each do |name|
    define_singleton_method(name) do |*, **|
      PuppetRepl::Sandbox.refuse("Addrinfo.#{name}", SocketError)
    end
  end
end
