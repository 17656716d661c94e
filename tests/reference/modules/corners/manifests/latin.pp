# café
class corners::latin { }
