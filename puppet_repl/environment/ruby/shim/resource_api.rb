# Types that are defined by the Resource API: a hash of attributes instead of a block.

require_relative 'types'

module Puppet
  module ResourceApi
    FORBIDDEN = %i[
      title provider alias audit before consume export loglevel noop notify require schedule stage subscribe tag
    ].freeze
    BEHAVIOURS = [nil, :read_only, :namevar, :parameter, :init_only].freeze
    FEATURES = %w[supports_noop canonicalize custom_insync remote_resource simple_get_filter custom_generate].freeze
    ENSURE = /\A(?:Optional\[)?Enum\[([\w,]+)\]\]?\z/.freeze

    class << self
      def register_type(definition)
        Definition.new(definition).check
        attributes = definition[:attributes]
        namevars = attributes.keys.select { |name| attributes[name][:behaviour] == :namevar }
        Puppet::Type.newtype(definition[:name].to_sym) do
          @doc = definition[:desc]
          attributes.each do |name, options|
            if %i[parameter namevar].include?(options[:behaviour])
              newparam(name, namevar: options[:behaviour] == :namevar) { desc(options[:desc]) }
            else
              newproperty(name) { desc(options[:desc]) }
            end
          end
          %i[autorequire autosubscribe autobefore autonotify].each do |kind|
            (definition[kind] || {}).each { |type, titles| send(kind, type) { ResourceApi.named(self, titles) } }
          end
          patterns = definition[:title_patterns]
          define_singleton_method(:title_patterns) do
            next [[/(.*)/m, [[namevars.first]]]] if patterns.nil? || patterns.empty?

            patterns.map { |item| [item[:pattern], item[:pattern].names.map { |name| [name.to_sym] }] }
          end
        end
        nil
      end

      # Return the titles that a definition gives; a dollar sign begins the name of an attribute.
      def named(resource, titles)
        [titles].flatten.map { |title| title.is_a?(String) && title.start_with?('$') ? resource[title[1..]] : title }
      end

      def register_transport(*); end

      def method_missing(name, *)
        PuppetRepl.unavailable("Puppet::ResourceApi.#{name}")
      end

      def respond_to_missing?(*)
        false
      end
    end

    # The hash that defines a type, with the checks and warnings of the Resource API.
    class Definition
      def initialize(hash)
        @hash = hash
      end

      def check
        kind = 'Puppet::ResourceApi::TypeDefinition'
        wrong("#{kind} must be a Hash, not `#{@hash.class}`") unless @hash.is_a?(Hash)
        wrong("#{kind} must have a name") unless @hash.key?(:name)
        raise KeyError, 'key<attr_key> not found' unless @hash.key?(:attributes)

        attributes = @hash[:attributes]
        wrong("`#{name}.attributes` must be a hash, not `#{attributes.class}`") unless attributes.is_a?(Hash)
        check_description
        attributes.each { |key, options| check_attribute(key, options) }
        check_names(attributes)
        check_features
      end

      private

      def name
        @hash[:name]
      end

      def check_description
        if @hash.key?(:docs)
          wrong("`#{name}` has both `desc` and `docs`, prefer using `desc`") if @hash[:desc]
          @hash[:desc] = @hash.delete(:docs)
        end
        undocumented(name) unless @hash.key?(:desc)
      end

      def check_attribute(key, options)
        wrong("`#{name}.#{key}` must be a Hash, not a #{options.class}") unless options.is_a?(Hash)
        wrong("`#{name}.#{key}` has no type") unless options.key?(:type)
        undocumented("#{name}.#{key}") unless options.key?(:desc)
        parse(key, options[:type])
        if options.key?(:behavior)
          wrong("the '#{key}' attribute has both a `behavior` and a `behaviour`, only use one") if options[:behaviour]
          options[:behaviour] = options.delete(:behavior)
        end
        return if BEHAVIOURS.include?(options[:behaviour])

        raise Puppet::ResourceError, "`#{options[:behaviour]}` is not a valid behaviour value"
      end

      def parse(key, type)
        Puppet::Pops::Types::TypeParser.singleton.parse(type)
      rescue Puppet::Error => e
        wrong("The type of the `#{key}` attribute `#{type}` could not be parsed: #{e.message}")
      end

      def check_names(attributes)
        FORBIDDEN.each do |forbidden|
          wrong("must not define an attribute called `#{forbidden.inspect}`") if attributes.key?(forbidden)
        end
        patterns = @hash[:title_patterns]
        wrong("`:title_patterns` must be an array, not `#{patterns.class}`") unless patterns.nil? || patterns.is_a?(Array)
        return unless attributes.key?(:ensure)

        values = attributes[:ensure][:type].to_s.delete(" '\"")[ENSURE, 1]
        return if values && values.split(',').uniq.sort == %w[absent present]

        wrong('`:ensure` attribute must have a type of: `Enum[present, absent]` or `Optional[Enum[present, absent]]`')
      end

      def check_features
        unknown = (@hash[:features] || []) - FEATURES
        Puppet.warning("Unknown feature detected: #{unknown.inspect}") unless unknown.empty?
      end

      def undocumented(subject)
        Puppet.warning("`#{subject}` has no documentation, add it using a `desc` key")
      end

      def wrong(message)
        raise Puppet::DevError, message
      end
    end
  end
end
