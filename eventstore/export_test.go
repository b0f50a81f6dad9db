package eventstore

// ChainHash lets tests forge a history with all its hashes.
func ChainHash(r *Record) []byte { return r.chainHash() }

// WrittenBy is the query by which an account's words are found.
const WrittenBy = writtenBy

// ScanBounds are where the sealer's next scan begins and ends.
const ScanBounds = scanBounds
