# frozen_string_literal: true
# Directly below the magic comment.
Puppet::Functions.create_function(:placed) do
  # Two lines above.

  dispatch :a do # trailing
    param 'String', :x # trailing x
  end
  # Too far above.


  dispatch :b do
    param 'Integer', :y
  end
  dispatch :c do # @return [Integer] on the line
    param 'Float', :z
  end
end
