class shop(Array $list = [1, 2]) { notify { "shop ${list}": } }
