package eventstore

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"slices"
)

// saltedEvidence is evidence with its salt. Both are erased together, so that a short
// text cannot be guessed from the digest that stays.
type saltedEvidence struct {
	Salt  string          `json:"salt"`
	Words json.RawMessage `json:"words"`
}

// salted returns the JSON of saltedEvidence. It inserts before the words, which may be
// 256 KB and are valid JSON already, and copies them only if their slice has no room.
func salted(words []byte) []byte {
	salt := make([]byte, 16)
	_, _ = rand.Read(salt) // never fails (crypto/rand)
	head := base64.RawStdEncoding.AppendEncode([]byte(`{"salt":"`), salt)
	head = append(head, `","words":`...)
	return append(slices.Insert(words, 0, head...), '}')
}
