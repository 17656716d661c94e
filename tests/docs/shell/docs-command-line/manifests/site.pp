node default { notify { 'a node': } }
