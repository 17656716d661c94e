Puppet::Type.type(:shelf).provide(:wood, parent: Puppet::Provider) do
  desc 'Of wood'
  confine osfamily: :debian
  confine 'os.name' => %w[a b], :true => begin
    true
  end
  defaultfor :osfamily => :debian, :operatingsystem => 'x'
  defaultfor({ 'kernel' => 'Linux' }, { 'kernel' => 'Darwin' })
  has_feature :refillable
  has_features :movable, 'other'
  commands saw: 'saw', hammer: "/usr/bin/hammer"
  has_command(:nail, 'nail')

  def create
    saw('x')
  end
end
