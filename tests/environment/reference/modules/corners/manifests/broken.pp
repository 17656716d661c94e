# @summary broken
class corners::broken($a { }
