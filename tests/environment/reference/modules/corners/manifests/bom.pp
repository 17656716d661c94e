# @summary with a mark
class corners::bom { }
