package proof_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/proof"
)

// Whatever bundle is handed in, verifying it ends, and accepts none that nobody signed.
func FuzzVerifyBundle(f *testing.F) {
	known, err := proof.Verifiers()
	require.NoError(f, err)
	f.Add([]byte(`{"version":1,"reportId":"r","checkpoint":"docket\n1\nAAAA\n\n— docket AAAA\n","publicKey":"x","events":[{"position":1,"hash":"AAAA","proof":["AAAA"]}]}`))
	f.Add([]byte(`{"version":1,"events":[]}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, encoded []byte) {
		if _, _, err := proof.VerifyBundle(encoded, known); err == nil {
			t.Fatal("a bundle is accepted that no known key signed")
		}
	})
}

// Whatever note is handed in, opening it ends, and accepts none that nobody signed.
func FuzzOpenCheckpoint(f *testing.F) {
	known, err := proof.Verifiers()
	require.NoError(f, err)
	f.Add([]byte("docket\n1\nAAAA\n\n— docket AAAA\n"))
	f.Add([]byte("\n\n\n"))
	f.Fuzz(func(t *testing.T, signed []byte) {
		if _, err := proof.OpenCheckpoint(signed, known); err == nil {
			t.Fatal("a checkpoint is accepted that no known key signed")
		}
		_, _ = proof.OpenCheckpoints(signed, known)
	})
}
