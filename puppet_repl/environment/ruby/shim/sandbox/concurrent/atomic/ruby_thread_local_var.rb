# There is one thread, whose values are those of the object; concurrent-ruby would start another one.

require 'concurrent/atomic/abstract_thread_local_var'

module Concurrent
  class RubyThreadLocalVar < AbstractThreadLocalVar
    def value
      @is_set ? @value : default
    end

    def value=(value)
      @is_set = true
      @value = value
    end

    protected

    def allocate_storage
      @is_set = false
    end
  end
end
