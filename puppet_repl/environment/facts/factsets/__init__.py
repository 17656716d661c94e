"""Facts of typical machines, as Facter reports them."""
