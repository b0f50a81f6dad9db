package eventstore

// WrittenBy is the query by which an account's words are found.
const WrittenBy = writtenBy

// AuthoredBy is the query by which snapshots of an account's content are found.
const AuthoredBy = authoredBy

// ScanBounds are where the sealer's next scan begins and ends.
const ScanBounds = scanBounds

// NextEvents are what the sealer seals next.
var NextEvents = nextEvents
