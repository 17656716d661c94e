# Records how the public module puppetdbquery converts queries, and what its functions return.
#
#   ruby -W0 -I modules/puppetdbquery/lib -I PUPPET_LIB -I CHRONIC/lib -I NUMERIZER/lib \
#     tests/environment/puppetdb/record_node_queries.rb tests/environment/puppetdb
#
# It rewrites two files. A case of node_queries.json is a query with an endpoint, and the array or
# the error of the module's parser. A case of node_functions.json is a call: the queries that the module's
# function sends, and its result for the answers. A fake terminus takes the queries; the answers to
# them are those that PUPPETDB gives: a command, which reads a query of ["from", ENTITY, ...] and
# prints rows.
ENV['TZ'] = 'UTC'
require 'json'
require 'open3'
require 'time'
require 'uri'
require 'puppet'
require 'chronic'
require 'puppetdb/parser'

DIRECTORY = ARGV.fetch(0)

# What the module needs of a PuppetDB terminus, and of a Ruby that still has URI.escape.
module Puppet::Util::Puppetdb
  def self.config
    Struct.new(:server_urls).new([URI('https://puppetdb.example.com:8081')])
  end
end
$LOADED_FEATURES << 'puppet/util/puppetdb.rb'

def URI.escape(text)
  URI.encode_www_form_component(text).sub('%3Fquery%3D', '?query=')
end

# The server: it keeps the queries that it is asked.
class Terminus
  ASKED = []

  def get(address, _headers)
    path, _, query = address.partition('?query=')
    array = query.empty? ? nil : JSON.parse(URI.decode_www_form_component(query))
    entity = path[%r{/pdb/query/v4/(\w+)\z}, 1]
    ASKED << [entity, array]
    # An "extract" of everything, and of nothing else, is without a filter here.
    array.pop if array && array[0] == 'extract' && array[2].nil?
    output, status = Open3.capture2(ENV.fetch('PUPPETDB'), stdin_data: JSON.generate(['from', entity, *[array].compact]))
    raise output unless status.success?

    response = Net::HTTPOK.new('1.1', '200', 'OK')
    response.define_singleton_method(:body) { output }
    response
  end
end

require 'puppet/network/http_pool'
def (Puppet::Network::HttpPool).http_instance(*)
  Terminus.new
end

def rewrite(name)
  path = File.join(DIRECTORY, name)
  cases = JSON.parse(File.read(path)).map { |each| JSON.generate(yield(each)) }
  File.write(path, "[\n#{cases.join(",\n")}\n]\n")
end

rewrite('node_queries.json') do |each|
  request = each.slice('query', 'endpoint')
  begin
    request.merge('array' => PuppetDB::Parser.new.parse(each['query'], (each['endpoint'] || 'nodes').to_sym))
  rescue StandardError => e
    request.merge('error' => e.message.strip)
  end
end

Puppet.initialize_settings(['--confdir', '/nowhere', '--vardir', '/nowhere'])
root = $LOAD_PATH.find { |each| File.exist?("#{each}/puppetdb/connection.rb") }
ENVIRONMENT = Puppet::Node::Environment.create(:recorded, [File.expand_path('../..', root)])
LOADERS = Puppet::Pops::Loaders.new(ENVIRONMENT)
Puppet.push_context(loaders: LOADERS, current_environment: ENVIRONMENT)
LOADER = LOADERS.private_loader_for_module('puppetdbquery')
NEWER = %w[query_facts query_nodes].to_h { |name| [name, LOADER.load(:function, name)] }
OLDER = %w[query_facts query_nodes query_resources].to_h do |name|
  load "#{root}/puppet/parser/functions/#{name}.rb"
  [name, Object.new.extend(Puppet::Parser::Functions.environment_module(ENVIRONMENT))]
end

rewrite('node_functions.json') do |each|
  Terminus::ASKED.clear
  request = each.slice('call', 'args', 'api')
  name, args = each.values_at('call', 'args')
  begin
    result = if each['api'] == 3
               OLDER[name].send("function_#{name}", args)
             else
               NEWER[name].call({}, *args)
             end
    request.merge('asked' => Terminus::ASKED.map(&:dup), 'result' => result)
  rescue StandardError => e
    request.merge('asked' => Terminus::ASKED.map(&:dup), 'error' => e.message.strip.lines.first.to_s.strip)
  end
end
