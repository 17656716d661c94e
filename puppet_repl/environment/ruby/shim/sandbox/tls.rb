# What there is of TLS in the sandbox, as of sockets: constants, and classes that cannot be used. A
# request by https is then refused where it opens its socket, as one by http.

module OpenSSL
  module SSL
    VERIFY_NONE = 0
    VERIFY_PEER = 1
    VERIFY_FAIL_IF_NO_PEER_CERT = 2
    VERIFY_CLIENT_ONCE = 4
    OP_ALL = 0x80000054
    TLS1_VERSION = 0x301
    TLS1_1_VERSION = 0x302
    TLS1_2_VERSION = 0x303
    TLS1_3_VERSION = 0x304

    SSLError = Class.new(OpenSSLError)

    # Its settings are kept, for nobody.
    class SSLContext
      %i[ca_file ca_path cert cert_store ciphers key max_version min_version options security_level
         session_cache_mode session_new_cb ssl_version timeout verify_callback verify_depth
         verify_hostname verify_mode].each { |name| attr_accessor(name) }

      def initialize(*); end

      def set_params(params = {})
        params.each { |name, value| public_send("#{name}=", value) }
      end
    end

    %i[SSLSocket SSLServer].each do |name|
      made = const_set(name, Class.new)
      %i[new open].each do |method|
        made.define_singleton_method(method) { |*, **| PuppetRepl::Sandbox.refuse("#{self.name}.#{method}", SocketError) }
      end
    end
  end
end
