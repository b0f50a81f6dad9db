package account

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"testing"

	"github.com/fxamacker/cbor/v2"
	"github.com/stretchr/testify/require"
)

// authenticator holds a passkey, as a device does. It counts its signatures.
type authenticator struct {
	t      *testing.T
	key    *ecdsa.PrivateKey
	id     []byte
	count  uint32
	origin string
	rsa    []byte // the modulus of the key that it says it has, instead of its own
}

func newAuthenticator(t *testing.T) *authenticator {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	return &authenticator{t: t, key: key, id: []byte(NewSecret()), count: 1, origin: base.Scheme + "://" + base.Host}
}

// ceremony is what the authenticator reads of options.
type ceremony struct {
	PublicKey struct {
		Challenge string `json:"challenge"`
	} `json:"publicKey"`
}

func (a *authenticator) clientData(kind string, options json.RawMessage) []byte {
	a.t.Helper()
	var c ceremony
	require.NoError(a.t, json.Unmarshal(options, &c))
	return a.json(map[string]any{"type": kind, "challenge": c.PublicKey.Challenge, "origin": a.origin})
}

func (a *authenticator) json(v any) []byte {
	a.t.Helper()
	encoded, err := json.Marshal(v)
	require.NoError(a.t, err)
	return encoded
}

const userPresentAndVerified, attested = 0x05, 0x40

func (a *authenticator) data(flags byte, more ...byte) []byte {
	host := sha256.Sum256([]byte(base.Host))
	return append(binary.BigEndian.AppendUint32(append(host[:], flags), a.count), more...)
}

// credential is the answer of a browser.
func (a *authenticator) credential(response map[string][]byte) json.RawMessage {
	a.t.Helper()
	encoded := map[string]string{}
	for name, value := range response {
		encoded[name] = base64.RawURLEncoding.EncodeToString(value)
	}
	id := base64.RawURLEncoding.EncodeToString(a.id)
	return a.json(map[string]any{"id": id, "rawId": id, "type": "public-key", "clientExtensionResults": map[string]any{}, "response": encoded})
}

// make answers options to add a passkey.
func (a *authenticator) make(options json.RawMessage) json.RawMessage {
	a.t.Helper()
	public, err := a.key.PublicKey.ECDH()
	require.NoError(a.t, err)
	point := public.Bytes() // 4, x, y
	encode, err := cbor.CTAP2EncOptions().EncMode()
	require.NoError(a.t, err)
	parts := map[int]any{1: 2, 3: -7, -1: 1, -2: point[1:33], -3: point[33:]}
	if a.rsa != nil {
		parts = map[int]any{1: 3, 3: -257, -1: a.rsa, -2: []byte{1, 0, 1}}
	}
	key, err := encode.Marshal(parts)
	require.NoError(a.t, err)
	attestedData := append(make([]byte, 16), byte(len(a.id)>>8), byte(len(a.id)))
	object, err := encode.Marshal(map[string]any{"fmt": "none", "attStmt": map[string]any{},
		"authData": a.data(userPresentAndVerified|attested, append(append(attestedData, a.id...), key...)...)})
	require.NoError(a.t, err)
	return a.credential(map[string][]byte{"clientDataJSON": a.clientData("webauthn.create", options), "attestationObject": object})
}

// prove answers options to prove the passkey, and counts.
func (a *authenticator) prove(options json.RawMessage) json.RawMessage {
	a.t.Helper()
	a.count++
	client, data := a.clientData("webauthn.get", options), a.data(userPresentAndVerified)
	hash := sha256.Sum256(client)
	signed := sha256.Sum256(append(data, hash[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, a.key, signed[:])
	require.NoError(a.t, err)
	return a.credential(map[string][]byte{"clientDataJSON": client, "authenticatorData": data, "signature": signature})
}
