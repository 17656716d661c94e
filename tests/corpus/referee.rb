# Parses what it is given with the Puppet on the load path: a JSON object a line in and out.
# in:  {"id", "code", "mode": "parse" | "epp"}
# out: {"id", "pn"} or {"id", "error": {"message", "line", "column"}}, and "logs" if there are any
require 'json'
require 'tmpdir'
require 'timeout'
require 'puppet'
require 'puppet/pops'
require 'puppet/pops/model/pn_transformer'
require 'puppet/pops/pn'

$stdout.sync = true
folder = Dir.mktmpdir
at_exit { FileUtils.remove_entry(folder) }
Puppet.initialize_settings(['--confdir', folder, '--vardir', folder, '--strict', 'error'])
Puppet[:strict] = :error
Puppet.push_context(
  { environments: Puppet::Environments::Static.new, current_environment: Puppet::Node::Environment::NONE },
  'parsing'
)

LOGGED = []
Puppet::Util::Log.newdesttype :referee do
  match(/^referee$/)
  def initialize(*); end

  def handle(message)
    LOGGED << [message.level.to_s, message.message.to_s, message.line, message.pos]
  end
end
Puppet::Util::Log.newdestination('referee')

parsers = {
  'parse' => Puppet::Pops::Parser::EvaluatingParser.new,
  'epp' => Puppet::Pops::Parser::EvaluatingParser::EvaluatingEppParser.new
}
$stdin.each_line do |line|
  request = JSON.parse(line)
  LOGGED.clear
  answer = { 'id' => request['id'] }
  begin
    Timeout.timeout(10) do
      tree = parsers[request['mode'] || 'parse'].parse_string(request['code'], nil)
      answer['pn'] = begin
        Puppet::Pops::Model::PNTransformer.transform(tree).to_s
      rescue StandardError
        nil # Puppet's own dump fails for some trees
      end
    end
  rescue Puppet::Error => e
    text = e.respond_to?(:basic_message) ? e.basic_message : e.message.sub(/ \((?:file: .*, )?line: \d+, column: \d+\)\z/, '')
    answer['error'] = { 'message' => text, 'line' => e.line, 'column' => e.pos }
  rescue StandardError, SystemStackError => e
    answer['crash'] = "#{e.class}: #{e.message}"
  end
  answer['logs'] = LOGGED.map(&:dup) unless LOGGED.empty?
  begin
    puts JSON.generate(answer)
  rescue StandardError
    puts JSON.generate({ 'id' => request['id'], 'crash' => 'the answer is not UTF-8' })
  end
end
