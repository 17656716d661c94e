# A session of puppet-repl; :load runs each part as an input of its own.

# In[1]
$greeting = 'Ask your team before you change anything here.'

# In[2]
file { '/etc/motd':
  content => "${greeting}\n",
  mode    => '0644',
}
