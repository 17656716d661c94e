# frozen_string_literal: true

# Returns a name that can be part of a file name.
Puppet::Functions.create_function(:'website::slug') do
  # @param name Any name.
  # @return The name in lower case, with an underscore for whatever is no letter or digit.
  # @example
  #   website::slug('www.example.com')  # => 'www_example_com'
  dispatch :slug do
    param 'String[1]', :name
    return_type 'String[1]'
  end

  def slug(name)
    name.downcase.gsub(/[^a-z0-9]+/, '_')
  end
end
