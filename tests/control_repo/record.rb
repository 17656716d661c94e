# frozen_string_literal: true

# Answers requests with the command `puppet lookup`, one JSON object a line:
#   {"arguments": [...], "trusted": {NAME: VALUE}} -> {"status": n, "output": text, "errors": text}
# Puppet is loaded once; every request runs in a child process of its own, so that nothing of one
# reaches the next. "trusted" are the extensions of the node's certificate, which no option of the
# command can give: such a node is trusted as one that a server knows.
require 'json'
require 'puppet'
require 'puppet/application/lookup'
require 'puppet/util/command_line'

# Whatever every request needs is loaded once, and facts of the server are collected once.
require 'facter'
require 'hocon'
require 'hiera/backend/eyaml/encryptor'
require 'hiera/backend/eyaml/parser/parser'
require 'puppet/pops'
%w[networking fqdn domain hostname kernel].each { |name| Facter.value(name) }

# The command with the trusted facts of a request.
module CertificateExtensions
  EXTENSIONS = {} # rubocop:disable Style/MutableConstant

  def main
    return super if EXTENSIONS.empty?

    trusted = Puppet::Context::TrustedInformation.new('remote', options[:node], EXTENSIONS)
    Puppet.override(trusted_information: trusted) { super }
  end
end
Puppet::Application::Lookup.prepend(CertificateExtensions)

def run(request, out, err)
  $stdout.reopen(out)
  $stderr.reopen(err)
  CertificateExtensions::EXTENSIONS.merge!(request['trusted'] || {})
  ARGV.replace(['lookup', *request['arguments']])
  Puppet::Util::CommandLine.new('puppet', ARGV.dup).execute
  0
rescue SystemExit => e
  e.status
ensure
  $stdout.flush
  $stderr.flush
end

def answer(request)
  streams = [IO.pipe, IO.pipe]
  pid = fork do
    streams.each { |read, _| read.close }
    GC.disable
    exit!(run(request, *streams.map(&:last)))
  end
  texts = streams.map do |read, write|
    write.close
    Thread.new { read.read.force_encoding('UTF-8') }
  end
  _, status = Process.wait2(pid)
  { 'status' => status.exitstatus, 'output' => texts[0].value, 'errors' => texts[1].value }
end

replies = $stdout.dup
replies.sync = true
$stdin.each_line { |line| replies.puts(JSON.generate(answer(JSON.parse(line)))) }
