package account

import (
	"crypto/hmac"
	"crypto/sha256"
	"slices"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
)

// A binding is what a stored hash of a secret is valid for. Its mac is stored beside the hash, so
// that a row is invalid if SQL moves it to another account or, with a key, creates it.
type binding struct {
	kind  string // session, a token with its use, or a link with its purpose
	owner string // the account or the plugin; "" for the link that makes the first account
	hash  []byte
}

func sessionBinding(userID string, hash []byte) binding { return binding{"session", userID, hash} }

func tokenBinding(use permission.Use, owner string, hash []byte) binding {
	return binding{"token " + string(use), owner, hash}
}

func linkBinding(p purpose, userID *string, hash []byte) binding {
	return binding{"link " + string(p), domain.OrEmpty(userID), hash}
}

// The first byte of a mac says how it was made.
const (
	macPlain = iota // SHA-256: anybody can compute it
	macKeyed        // HMAC-SHA-256
)

// bindingWindow is how long after the first start with a key rows from servers without the key are
// accepted, so that servers can be replaced one by one.
const bindingWindow = time.Hour

func (b binding) text() []byte {
	return slices.Concat([]byte("docket binding\x00"+b.kind+"\x00"+b.owner+"\x00"), b.hash)
}

func (b binding) plain() []byte {
	sum := sha256.Sum256(b.text())
	return append([]byte{macPlain}, sum[:]...)
}

func (b binding) keyed(key []byte) []byte {
	return append([]byte{macKeyed}, authenticate(key, b.text())...)
}

func authenticate(key, text []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(text)
	return mac.Sum(nil)
}

// bindingKeys are the keys of bindings: the first one binds and all verify. Without keys bindings
// are plain hashes.
type bindingKeys [][]byte

// newBindingKeys derives the keys for this purpose only.
func newBindingKeys(secrets [][]byte) (keys bindingKeys) {
	for _, secret := range secrets {
		keys = append(keys, authenticate(secret, []byte("docket accounts: bind")))
	}
	return keys
}

func (k bindingKeys) mac(b binding) []byte {
	if len(k) == 0 {
		return b.plain()
	}
	return b.keyed(k[0])
}

// holds returns the index of the key that made the mac, or -1.
func (k bindingKeys) holds(b binding, mac []byte) int {
	return slices.IndexFunc(k, func(key []byte) bool { return hmac.Equal(mac, b.keyed(key)) })
}

// accepts reports whether a row with the mac is accepted, and whether its mac must be renewed.
// loose accepts macs by servers without a key. A server without a key accepts keyed macs, which it
// cannot check, so that a key can be introduced server by server.
func (k bindingKeys) accepts(b binding, mac []byte, loose bool) (ok, renew bool) {
	if i := k.holds(b, mac); i >= 0 {
		return true, i > 0
	}
	if len(k) == 0 && len(mac) > 0 && mac[0] == macKeyed {
		return true, false
	}
	if mac == nil {
		return loose, true
	}
	return loose && hmac.Equal(mac, b.plain()), len(k) > 0
}

// accepts reports whether a row of a secret is valid for its binding, and whether its mac must be
// renewed.
func (s *Store) accepts(b binding, mac []byte) (ok, renew bool) {
	return s.keys.accepts(b, mac, s.loose(s.boundSince))
}

func (s *Store) loose(since time.Time) bool {
	return len(s.keys) == 0 || s.time().Before(since.Add(bindingWindow))
}
