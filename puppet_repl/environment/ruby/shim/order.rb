# The resources that an agent gets, as objects of their types, for the blocks by which a type says
# which values it refuses, and what is applied before or after a resource. An agent has chosen
# providers then; here nothing has a provider, and a value that cannot be converted stays as it is
# given.

require_relative 'types'

module Puppet
  # An attribute of a resource, with its value as the type converts it.
  class Parameter
    include Logging
    include Util::Errors

    attr_accessor :resource

    def initialize(resource: nil)
      @resource = resource
    end

    def name
      self.class.name
    end
    alias to_s name

    def value
      unmunge(@value) unless @value.nil?
    end

    def value=(value)
      validate(value)
      @value = munge(value)
    end

    def validate(value)
      unsafe_validate(value)
    rescue Puppet::Error, ArgumentError => e
      @resource.refuse_value(name, e)
    rescue TypeError, ::ScriptError, SystemStackError
      @resource.leave_unknown
    rescue StandardError => e
      @resource.refuse_value(name, e, "Validate method failed for class #{name}: ")
    end

    def munge(value)
      unsafe_munge(value)
    rescue Puppet::Error => e
      @resource.refuse_value(name, e)
      value
    rescue StandardError => e
      @resource.refuse_value(name, e, "Munging failed for value #{value.inspect} in class #{name}: ")
      value
    end

    def unsafe_validate(value)
      symbols, patterns = self.class.symbols, self.class.patterns
      return if symbols.empty? && patterns.empty?
      return if symbols.key?(value.to_s) || patterns.any? { |pattern| pattern.match?(value.to_s) }

      listed = symbols.select { |text, symbol| text == symbol.to_s }.keys
      message = "Invalid value #{value.inspect}."
      message += " Valid values are #{listed.join(', ')}." unless listed.empty?
      message += " Valid values match #{patterns.map(&:inspect).join(', ')}." unless patterns.empty?
      raise Puppet::Error, message
    end

    def unmunge(value)
      unsafe_unmunge(value)
    end

    def unsafe_munge(value)
      self.class.symbols.fetch(value.to_s, value)
    end

    def unsafe_unmunge(value)
      value
    end

    def provider
      @resource.provider
    end

    def send_log(level, message)
      @resource.send_log(level, message)
    end

    class Boolean
      def unsafe_munge(value)
        [true, 'true', :true, 'yes', :yes].include?(value)
      end
    end
  end

  # An attribute that a resource is to have: one value, or all of an array.
  class Property
    attr_reader :shouldorig

    def value
      should
    end

    def value=(values)
      self.should = values
    end

    def should
      return nil unless defined?(@should)

      match_all? ? @should.map { |value| unmunge(value) } : unmunge(@should[0])
    end

    def should=(values)
      @shouldorig = values.is_a?(Array) ? values : [values]
      @shouldorig.each { |value| validate(value) }
      @should = @shouldorig.map { |value| munge(value) }
    end

    def match_all?
      self.class.array_matching == :all
    end

    class Boolean
      def unsafe_validate(_value); end

      def unsafe_munge(value)
        [true, 'true', :true, 'yes', :yes].include?(value)
      end
    end

    # Several values as one text.
    class List
      def should
        @should && @should.uniq.sort.join(delimiter)
      end

      def delimiter
        ','
      end
    end

    OrderedList.class_eval do
      def should
        @should && @should.join(delimiter)
      end
    end

    # A hash, or texts of a key and a value.
    class KeyValue
      def should
        return nil unless @should
        return @should.first if @should.first.is_a?(Hash)

        @should.to_h { |pair| pair.split(separator).then { |key, value| [key.strip.to_sym, value] } }
      end

      def separator
        '='
      end

      def unsafe_munge(value)
        value.is_a?(String) ? value : value.to_h { |key, item| [key.to_s.strip.to_sym, item.to_s] }
      end
    end
  end

  # A resource.
  class Type
    include Logging
    include Util::Errors

    attr_reader :title, :catalog, :file, :line, :tags, :original_parameters

    class << self
      # Return the resource for a row of a catalog. Its attributes are set when they are asked for.
      def of(row, catalog)
        allocate.tap { |made| made.send(:adopt, row, catalog) }
      end

      def name_var
        key_attributes.first if key_attributes.length == 1
      end
    end

    # Types may define more of this; the row is what they pass on.
    def initialize(_row)
      @parameters = {}
      given = @original_parameters
      names = [name_var, *self.class.allattrs, *given.keys].compact.uniq
      names.each { |name| self[name] = given[name] unless given[name].nil? }
      (names - given.keys).each { |name| set_default(name) }
    end

    def ready
      return self if @is_ready

      @is_ready = true
      begin
        initialize(@row)
      rescue StandardError => e
        debug(e.message)
      end
      @parameters ||= {}
      self
    end

    # Check the resource as a whole; return what an agent says that refuses it, or nil.
    def refusal
      ready
      begin
        validate if @refusal.nil? && respond_to?(:validate)
      rescue Puppet::Error, ArgumentError => e
        refuse("Validation of #{ref} failed: ", e)
      rescue StandardError, ::ScriptError, SystemStackError => e
        debug(e.message)
      end
      @misses_provider = false
      @refusal
    end

    # Note that an agent refuses a value that the resource is given. Attributes that need a feature
    # are ignored where the provider lacks it.
    def refuse_value(name, error, reason = '')
      return if !@original_parameters.key?(name) || self.class.attrclass(name)&.required_features

      refuse("Parameter #{name} failed on #{ref}: #{reason}", error)
    end

    # Note that a check has failed which an agent may pass, or fail in another way.
    def leave_unknown
      @is_unknown = true
    end

    def parameter(name)
      ready
      # An agent has chosen one.
      @misses_provider ||= name.to_sym == :provider && !@original_parameters.key?(:provider)
      @parameters[name.to_sym]
    end

    def parameters
      ready
      @parameters.dup
    end

    def property(name)
      found = parameter(name)
      found if found.is_a?(Property)
    end

    def properties
      self.class.validproperties.filter_map { |name| parameter(name) }
    end

    def [](name)
      value(named(name))
    end

    def []=(name, value)
      newattr(named(name)).value = value
    end

    def value(name)
      parameter(name)&.value
    end

    def should(name)
      property(name)&.should
    end

    def newattr(name)
      ready
      name = name.name if name.is_a?(Class)
      @parameters[name] ||= (self.class.attrclass(name) || self.class.given_class(name)).new(resource: self)
    end

    def set_default(name)
      made = self.class.attrclass(name)
      return if made.nil? || !made.method_defined?(:default) || @parameters.key?(name)

      value = newattr(name).default
      value ? @parameters[name].value = value : @parameters.delete(name)
    end

    def delete(name)
      ready
      @parameters.delete(name.to_sym)
    end

    def propertydefined?(name)
      !parameter(name).nil?
    end

    def managed?
      properties.any?(&:should)
    end

    def to_hash
      parameters.transform_values(&:value)
    end

    def name
      self[:name]
    end

    def name_var
      self.class.name_var
    end

    def type
      self.class.name
    end

    def ref
      "#{@type_name}[#{title}]"
    end
    alias to_s ref
    alias path ref

    def uniqueness_key
      self.class.key_attributes.sort_by(&:to_s).map { |name| self[name] }
    end

    def tagged?(*names)
      (names.flatten.map(&:to_s) & tags).any?
    end

    def tag(*names)
      @tags |= names.flatten.map(&:to_s)
    end

    def noop?
      false
    end
    alias noop noop?
    alias exported? noop?
    alias virtual? noop?

    def isomorphic?
      self.class.isomorphic?
    end

    # What a resource says is for those who apply it.
    def send_log(_level, message)
      PuppetRepl.debug(PuppetRepl::Values.readable("#{ref}: #{message}"))
    end

    # Whether the provider was asked for: what follows from its lack is no error of the code.
    attr_reader :misses_provider

    def provider
      @misses_provider = true
      nil
    end

    private

    # The first refusal counts. What may have failed for a lack of this Ruby is none, nor is what
    # fails after it; with values of types that JSON has no word for, nothing is.
    def refuse(beginning, error)
      leave_unknown if @misses_provider || @row['is_rich'] || PuppetRepl::Errors.of_this_ruby?(error)
      return if @refusal || @is_unknown

      place = [("file: #{file}" if file), ("line: #{line}" if line)].compact
      @refusal = beginning + PuppetRepl::Errors.describe(error)['m'] + (place.empty? ? '' : " (#{place.join(', ')})")
    end

    def named(name)
      name.to_sym == :name ? name_var || :name : name.to_sym
    end

    def adopt(row, catalog)
      @row = row
      @catalog = catalog
      @type_name, @title, @tags, @file, @line = row.values_at('type', 'title', 'tags', 'file', 'line')
      @original_parameters = row['parameters'].transform_keys(&:to_sym)
    end

    class << self
      # Return the class of an attribute that the type itself does not define.
      def given_class(name)
        @given_classes ||= {}
        @given_classes[name] ||= Class.new(GIVEN.fetch(name, Parameter)).tap { |made| made.name = name }
      end
    end

    # Attributes of all types that are converted.
    AsArray = Class.new(Parameter) { munge { |value| value.is_a?(Array) ? value : [value] } }
    AsSymbol = Class.new(Parameter) { munge(&:to_sym) }
    GIVEN = { tag: AsArray, alias: AsArray, provider: AsSymbol, loglevel: AsSymbol }.freeze
  end
end

module PuppetRepl
  # The catalog that an agent gets. Its rows are asked for when they are needed.
  class AppliedCatalog
    def initialize
      @made = {}
      @numbers = {}.compare_by_identity
      @listed = {}
      @aliases = {}
      @types = Hash.new { |known, name| known[name] = find_type(name) }
    end

    def resources
      listed(nil)
    end
    alias vertices resources

    def resource(type, title = nil)
      type = type.name if type.is_a?(Class)
      type, title = Puppet::Resource.type_and_title(type.to_s, title&.to_s)
      row = Host.ask('applied_resource', type: type.to_s, title: title.to_s)
      return add(row) if row

      name = type.downcase.to_sym
      listed(name).each { |each| self.alias(each.ready, each.name) } if @types[name] && Types.of_module?(name)
      @aliases[[name, title]]
    end

    def alias(resource, name)
      @aliases[[resource.type, name.to_s]] ||= resource
    end

    def host_config?
      true
    end

    # Return what the type of a resource implies: pairs of the kind of a relationship and the number
    # of the other resource; what an agent refuses is a pair of "error" and a text, and what it may
    # well be able to run of "unknown" and a text.
    def implied(row)
      resource = add(row)
      refusal = resource.refusal
      return [['error', "Failed to apply catalog: #{refusal}"]] if refusal

      resource.class.implied.flat_map do |kind, blocks|
        blocks.flat_map do |type, block|
          others(resource, type, block).map { |other| [kind, @numbers[other]] }
        rescue StandardError, ::ScriptError, SystemStackError => e
          resource.misses_provider ? [] : [failure(e, kind, resource)]
        end
      end
    end

    def method_missing(name, *)
      PuppetRepl.unavailable("the method #{name} of a catalog")
    end

    def respond_to_missing?(*)
      false
    end

    private

    def failure(error, kind, resource)
      reason = Errors.describe(error)['m'].lines.first.to_s.chomp
      return ['unknown', "order of #{resource} unknown: #{reason}"] if Errors.of_this_ruby?(error)

      ['error', "Failed to apply catalog: #{reason} (auto#{kind} of #{resource})"]
    end

    def others(resource, type, block)
      return [] unless @types[type]

      found = resource.instance_eval(&block)
      return [] unless found

      found = [found] unless found.is_a?(Array)
      found.compact.filter_map { |other| other.is_a?(Puppet::Type) ? other : resource(type, other) }
    end

    # Return the resources of a type, or all.
    def listed(name)
      @listed[name] ||= Host.ask('applied_resources', type: name&.to_s).map { |row| add(row) }
    end

    # Return the resource of a row, which is always the same one.
    def add(text)
      row = JSON.parse(text, PARSE)
      row['is_rich'] = text.include?('"__ptype"')
      @made[row['number']] ||= begin
        type = @types[row['type'].downcase.to_sym] || Puppet::Type::Component
        type.of(row, self).tap { |made| @numbers[made] = row['number'] }
      end
    end

    def find_type(name)
      Types.find(name)
    rescue StandardError, ::ScriptError
      nil
    end
  end

  on('implied') do |request|
    catalog = AppliedCatalog.new
    request['rows'].map { |row| catalog.implied(row) }
  end
end
