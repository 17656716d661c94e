# What answers requests of the interpreter: serve(text) -> text, both JSON.
#
# A file of this directory registers what it can do with PuppetRepl.on(name) { |request| result }.
# The result is encoded as a value; an exception becomes the description of an error.

require 'json'

module PuppetRepl
  PARSE = { allow_nan: true, max_nesting: false }.freeze
  GENERATE = { allow_nan: true, max_nesting: false }.freeze

  # Requests whose handlers are in files of their own, which are loaded with the first of them.
  LATE = { 'render' => 'templates', 'resource_type' => 'types', 'parse_title' => 'types',
           'implied' => 'order', 'object_method' => 'object_methods', 'data_type' => 'data_types',
           'data_class' => 'data_types', 'syntax' => 'syntax' }.freeze

  @handlers = {}
  @beginnings = []
  @features = 0
  @loaded = []
  @debugged = []

  class << self
    def on(name, &handler)
      @handlers[name] = handler
    end

    # Do something whenever another session begins: what the last one has left is not for it.
    def on_begin(&action)
      @beginnings << action
    end

    def begin_session
      @beginnings.each(&:call)
      nil
    end

    # Note a file that was evaluated, not required.
    def loaded(path)
      @loaded << path
    end

    # Hold a debug message until something else is said: there are many, and nobody waits for them.
    def debug(message)
      @debugged << message
    end

    # Return the JSON reply to a JSON request:
    #   {"do": name, ...} -> {"r": value} or {"e": error}, with "files" where new ones were loaded
    # The first request of a session has "begin".
    def serve(text)
      outer = Shared.begin_request
      request = JSON.parse(text, PARSE)
      reply = answer(request)
      note_files(reply)
      note_changes(reply)
      generate(reply)
    ensure
      Shared.end_request(outer)
    end

    # Variables and arguments that code has changed, for whoever reads them next.
    def note_changes(message)
      changed = Shared.take_changes
      message['c'] = changed if changed
    end

    def generate(reply)
      released = Values.take_released
      reply['f'] = released unless released.empty?
      reply['d'], @debugged = @debugged, [] unless @debugged.empty?
      JSON.generate(reply, GENERATE)
    end

    private

    def answer(request)
      begin_session if request['begin']
      Values.forget(request['f']) if request.key?('f')
      { 'r' => Values.encode(handler(request['do']).call(request)) }
    rescue Exception => e # rubocop:disable Lint/RescueException
      { 'e' => Errors.describe(e) }
    end

    def handler(name)
      @handlers[name] || begin
        file = LATE[name] or raise NotImplementedError, "no such request: #{name}"
        require_relative file
        @handlers.fetch(name)
      end
    end

    # Files of modules that were loaded: the interpreter starts Ruby anew when one of them changes.
    def note_files(reply)
      count = $LOADED_FEATURES.size
      return if count == @features && @loaded.empty?

      new = $LOADED_FEATURES[@features..].reject { |file| file.start_with?(__dir__) }
      reply['files'] = @loaded + new
      @features = count
      @loaded = []
    end
  end
end

require_relative 'requiring'
require_relative 'library'
require_relative 'host'
require_relative 'values'
require_relative 'shared'
require_relative 'puppet'
require_relative 'dispatches'
require_relative 'functions'
require_relative 'scope'
require_relative 'catalog'
require_relative 'lookup_context'
