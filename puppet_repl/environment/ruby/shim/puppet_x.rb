# The namespace of extensions, which code requires before it opens modules in it.

module PuppetX
end
