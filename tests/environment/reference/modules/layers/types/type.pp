# @summary A type.
# @param text The text.
type Layers::Type = Struct[{text => String}]
