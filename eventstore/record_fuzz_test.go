package eventstore_test

import (
	"bytes"
	"crypto/sha256"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore"
)

// Whatever is stored, reading it ends, and hashing it gives 32 bytes that depend on every
// part.
func FuzzRecord(f *testing.F) {
	f.Add("created", []byte(`{"pluginId":"forum","type":"forum.post","id":"1"}`), []byte(`{"salt":"x","words":{"title":"a","snapshot":{}}}`), []byte(nil))
	f.Add("note_added", []byte(`{"noteId":"n","kind":"text"}`), []byte(`{"salt":"","words":{"body":"x"}}`), make([]byte, sha256.Size))
	f.Add("resolved", []byte(`{"resolution":"duplicate"}`), []byte(nil), []byte("x"))
	f.Add("unheard of", []byte(`[]`), []byte(`{`), []byte{})
	f.Fuzz(func(t *testing.T, eventType string, payload, evidence, prev []byte) {
		r := eventstore.Record{EventID: "e", ReportID: "r", Sequence: 1, Version: 1, Type: eventType, Payload: payload, Evidence: evidence,
			PrevHash: prev, OccurredAt: time.Unix(1_800_000_000, 0)}
		if evidence != nil {
			digest := sha256.Sum256(evidence)
			r.EvidenceDigest = digest[:]
		}
		hash := r.ChainHash()
		require.Len(t, hash, sha256.Size)
		moved := r // a byte that moves from one field to the next
		moved.Type, moved.Payload = eventType+"x", payload
		require.NotEqual(t, hash, moved.ChainHash())
		moved.Type, moved.Payload = eventType, append(bytes.Clone(payload), 'x')
		require.NotEqual(t, hash, moved.ChainHash())
		e, err := r.Event()
		if err != nil {
			return
		}
		require.False(t, e.Erased)
		again, err := eventstore.NewRecord(e, prev)
		require.NoError(t, err)
		read, err := again.Event()
		require.NoError(t, err)
		require.Equal(t, e.Fact.EventType(), read.Fact.EventType())
	})
}
