# @summary Values of a service's attribute ensure.
type Stdlib::Ensure::Service = Enum['stopped', 'running']
