package eventstore

// ChainHash lets tests forge a history with all its hashes.
func ChainHash(r *Record) []byte { return r.chainHash() }
