# @summary The modes that a text for everybody, or for root alone, may have.
type Motd::Mode = Enum['0600', '0644']
