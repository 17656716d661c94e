# Types that are defined by the Resource API: a hash of attributes instead of a block.

module Puppet
  module ResourceApi
    FORBIDDEN = %i[
      title provider alias audit before consume export loglevel noop notify require schedule stage subscribe tag
    ].freeze
    BEHAVIOURS = [nil, :read_only, :namevar, :parameter, :init_only].freeze

    class << self
      def register_type(definition)
        check(definition)
        warn_without_description(definition)
        Puppet::Type.newtype(definition[:name].to_sym) do
          @doc = definition[:desc] || definition[:docs]
          definition[:attributes].each do |name, options|
            behaviour = options[:behaviour] || options[:behavior]
            if %i[parameter namevar].include?(behaviour)
              newparam(name, namevar: behaviour == :namevar) { desc(options[:desc]) }
            else
              newproperty(name) { desc(options[:desc]) }
            end
          end
          patterns = definition[:title_patterns]
          next unless patterns

          define_singleton_method(:title_patterns) do
            patterns.map { |item| [item[:pattern], item[:pattern].names.map { |name| [name.to_sym] }] }
          end
        end
        nil
      end

      def register_transport(*); end

      def method_missing(name, *)
        PuppetRepl.unavailable("Puppet::ResourceApi.#{name}")
      end

      def respond_to_missing?(*)
        false
      end

      private

      def check(definition)
        wrong('Puppet::ResourceApi::TypeDefinition must be a Hash, not `%s`', definition.class) unless definition.is_a?(Hash)
        wrong('Puppet::ResourceApi::TypeDefinition must have a name') unless definition.key?(:name)
        wrong('Puppet::ResourceApi::TypeDefinition must have `attributes`') unless definition.key?(:attributes)
        attributes = definition[:attributes]
        wrong('`%s.attributes` must be a hash, not `%s`', definition[:name], attributes.class) unless attributes.is_a?(Hash)
        attributes.each { |key, options| check_attribute(definition[:name], key, options) }
        FORBIDDEN.each do |name|
          wrong('must not define an attribute called `%s`', name.inspect) if attributes.key?(name)
        end
        patterns = definition[:title_patterns]
        wrong('`:title_patterns` must be an array, not `%s`', patterns.class) unless patterns.nil? || patterns.is_a?(Array)
      end

      def check_attribute(type, key, options)
        wrong('`%s.%s` must be a Hash, not a %s', type, key, options.class) unless options.is_a?(Hash)
        wrong('`%s.%s` has no type', type, key) unless options.key?(:type)
        if options[:behavior] && options[:behaviour]
          wrong("the '%s' attribute has both a `behavior` and a `behaviour`, only use one", key)
        end
        behaviour = options[:behaviour] || options[:behavior]
        return if BEHAVIOURS.include?(behaviour)

        raise Puppet::ResourceError, "`#{behaviour}` is not a valid behaviour value"
      end

      def warn_without_description(definition)
        name = definition[:name]
        unless definition.key?(:desc) || definition.key?(:docs)
          Puppet.warning("`#{name}` has no documentation, add it using a `desc` key")
        end
        definition[:attributes].each do |key, options|
          next if options.key?(:desc)

          Puppet.warning("`#{name}.#{key}` has no documentation, add it using a `desc` key")
        end
      end

      def wrong(text, *words)
        raise Puppet::DevError, format(text, *words)
      end
    end
  end
end
