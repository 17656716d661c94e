# @summary A size of data with a unit, such as 20M or 3gb.
type Stdlib::Datasize = Pattern[/^\d+(?i:[kmgt]b?|b)$/]
