# Semantic versions; their rules are the interpreter's.
module SemanticPuppet
  class Version
    include Comparable
    PATTERN = /\A(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?\z/.freeze
    attr_reader :major, :minor, :patch, :prerelease, :build

    class ValidationFailure < ArgumentError; end

    def self.parse(text)
      parts = PATTERN.match(text) or raise ValidationFailure, "Unable to parse '#{text}' as a semantic version identifier"
      new(parts[1].to_i, parts[2].to_i, parts[3].to_i, parts[4], parts[5])
    end

    def self.valid?(text)
      PATTERN.match?(text)
    end

    def initialize(major, minor, patch, prerelease = nil, build = nil)
      @major = major
      @minor = minor
      @patch = patch
      @prerelease = prerelease.is_a?(Array) ? prerelease.join('.') : prerelease
      @build = build.is_a?(Array) ? build.join('.') : build
    end

    def <=>(other)
      PuppetRepl::Host.ask('compare', one: to_host, two: other.to_host) if other.is_a?(Version)
    end

    def to_s
      "#{major}.#{minor}.#{patch}#{"-#{prerelease}" if prerelease}#{"+#{build}" if build}"
    end

    def inspect
      to_s
    end

    def stable?
      prerelease.nil?
    end

    def hash
      to_s.hash
    end

    def eql?(other)
      other.is_a?(Version) && other.to_s == to_s
    end

    def next(part)
      case part
      when :major then self.class.new(major.next, 0, 0)
      when :minor then self.class.new(major, minor.next, 0)
      when :patch then self.class.new(major, minor, patch.next)
      end
    end

    def to_host
      { '~' => 'semver', 'v' => to_s }
    end
  end

  class VersionRange
    def self.parse(text, _strict = false)
      new(text)
    end

    def initialize(text)
      @text = text
    end

    def include?(version)
      version = Version.parse(version) if version.is_a?(String)
      PuppetRepl::Host.ask('includes', range: to_host, value: version.to_host)
    end
    alias === include?
    alias member? include?
    alias cover? include?

    def to_s
      @text
    end
    alias inspect to_s

    def hash
      @text.hash
    end

    def ==(other)
      other.is_a?(VersionRange) && other.to_s == to_s
    end
    alias eql? ==

    def to_host
      { '~' => 'semverrange', 'v' => @text }
    end
  end
end
