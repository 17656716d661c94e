# Evaluates its argument, as no module should.
Puppet::Functions.create_function(:'shop::run') do
  dispatch(:run) { param 'String', :code }

  def run(code)
    eval(code)
  end
end
