# frozen_string_literal: true

Puppet::Type.newtype(:anchor) do
  desc <<-TEXT
    A resource that does nothing and only takes part in relationships.

    Classes were contained with two of them before the function contain existed:

        class app {
          anchor { 'app::begin': }
          -> class { 'app::service': }
          -> anchor { 'app::end': }
        }
  TEXT

  newparam :name do
    desc 'The name of the anchor.'
  end

  # Without this method an event would not go on to what comes after the anchor.
  def refresh; end
end
