# Modes of files in chmod's notation: 'u+rwX,go-w'.

module Puppet
  module Util
    module SymbolicFileMode
      def valid_symbolic_mode?(value)
        text = normalize_symbolic_mode(value)
        PuppetRepl::FileMode::OCTAL.match?(text) || PuppetRepl::FileMode::SYMBOLIC.match?(text)
      end

      def display_mode(value)
        value =~ PuppetRepl::FileMode::OCTAL ? value.rjust(4, '0') : value
      end

      # Return a number as octal digits, without zeroes before them, and other texts as they are.
      def normalize_symbolic_mode(value)
        return value.to_s(8) if value.is_a?(Numeric)

        PuppetRepl::FileMode::OCTAL === value ? value.to_i(8).to_s(8) : value
      end

      # Return the mode that a text makes of the mode of a file.
      def symbolic_mode_to_int(modification, to_mode = 0, is_a_directory = false)
        raise Puppet::Error, 'An empty mode string is illegal' if modification.nil? || modification == ''
        return modification.to_i(8) if modification.match?(/^[0-7]+$/)
        raise Puppet::Error, 'Numeric modes must be in octal, not decimal!' if modification.match?(/^\d+$/)

        fail "non-numeric current mode (#{to_mode.inspect})" unless to_mode.is_a?(Numeric)
        PuppetRepl::FileMode.new(to_mode, is_a_directory).change(modification)
      end
    end
  end
end

module PuppetRepl
  # A mode that clauses such as 'u+rwX' change one after the other.
  class FileMode
    OCTAL = /^0?[0-7]{1,4}$/.freeze
    SYMBOLIC = /^([ugoa]*[-=+][-=+rstwxXugo]*)(,[ugoa]*[-=+][-=+rstwxXugo]*)*$/.freeze
    PLACES = { 'u' => 6, 'g' => 3, 'o' => 0 }.freeze # of the three bits of a class of users
    RIGHTS = { 'r' => 0o4, 'w' => 0o2, 'x' => 0o1 }.freeze
    STICKY = 0o1000
    SETTING_ID = { 'u' => 0o4000, 'g' => 0o2000, 'o' => STICKY }.freeze

    def initialize(mode, is_directory)
      @mode = mode & 0o7777
      @has_search = is_directory || mode.anybits?(0o111)
    end

    def change(text)
      text.split(/\s*,\s*/).each do |clause|
        apply(clause)
      rescue Puppet::Error => e
        at = clause == text ? '' : " at #{clause.inspect}"
        raise Puppet::Error, "#{e}#{at} in symbolic mode #{text.inspect}", e.backtrace
      end
      @mode
    end

    private

    def apply(clause)
      found = clause.match(/^([ugoa]*)([-+=].*)$/) or raise Puppet::Error, 'Missing action'
      users = found[1].empty? || found[1].include?('a') ? found[1].sub(/a|\z/, 'ugo') : found[1]
      before = @mode
      users.delete('a').chars.uniq.each { |user| change_rights(user, found[2], before) }
    end

    def change_rights(user, actions, before)
      rights = rights_in(before, user)
      sign = nil
      actions.each_char do |action|
        case action
        when '-', '+', '=' then rights = 0 if (sign = action) == '='
        when 's' then @mode = combined(sign, @mode, SETTING_ID[user])
        when 't' then @mode = combined(sign, @mode, STICKY)
        else rights = combined(sign, rights, bits(action, sign, before))
        end
      end
      @mode = (@mode & ~(0o7 << PLACES[user])) | (rights << PLACES[user])
    end

    def bits(action, sign, before)
      case action
      when 'u', 'g', 'o' then rights_in(before, action)
      when 'r', 'w', 'x' then RIGHTS[action]
      when 'X'
        raise Puppet::Error, "X only works with the '+' operator" if sign != '+'

        @has_search ? RIGHTS['x'] : 0
      else raise Puppet::Error, 'Unknown operation'
      end
    end

    def rights_in(mode, user)
      mode >> PLACES[user] & 0o7
    end

    def combined(sign, bits, others)
      sign == '-' ? bits & ~others : bits | others
    end
  end
end
