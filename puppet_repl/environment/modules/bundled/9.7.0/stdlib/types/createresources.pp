# @summary Titles of resources with their attributes, as create_resources() takes them.
type Stdlib::CreateResources = Hash[String[1], Hash[String[1], Any]]
