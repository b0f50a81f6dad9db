package account

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"net/netip"
	"strings"

	"golang.org/x/crypto/argon2"
)

// argon2id with OWASP's smallest recommended memory, about 30 ms: expensive for
// guessing, cheap for signing in.
const (
	argonMemory  = 19 * 1024 // KiB
	argonTime    = 2
	argonThreads = 1
	argonSalt    = 16
	argonKey     = 32

	// Limits on the cost of stored hashes, in case the cost is raised.
	maxArgonMemory = 64 * 1024
	maxArgonTime   = 10
)

// passwords hashes and verifies passwords, in turns from its queue.
type passwords struct {
	queue  *passwordQueue
	memory uint32 // KiB; tests take less
	dummy  string // verified if there is no hash, to take as long
}

func newPasswords(slots int, memory uint32) *passwords {
	// The dummy is no valid hash, so nothing matches it.
	return &passwords{queue: newPasswordQueue(slots), memory: memory, dummy: encodeHash(memory, make([]byte, argonSalt), make([]byte, argonKey))}
}

// hash waits for a turn for the address.
func (p *passwords) hash(ctx context.Context, address netip.Addr, password string) (string, error) {
	leave, err := p.queue.enter(ctx, address)
	if err != nil {
		return "", err
	}
	defer leave()
	salt := make([]byte, argonSalt)
	_, _ = rand.Read(salt)
	return encodeHash(p.memory, salt, argon2.IDKey([]byte(password), salt, argonTime, p.memory, argonThreads, argonKey)), nil
}

// verify reports whether the password matches the hash. The caller must have the turn. An empty hash, for an account
// without a password or no account at all, takes as long to fail.
func (p *passwords) verify(password, hash string) (bool, error) {
	known := hash != ""
	if !known {
		hash = p.dummy
	}
	c, err := decodeHash(hash)
	if err != nil {
		return false, err
	}
	key := argon2.IDKey([]byte(password), c.salt, c.time, c.memory, c.threads, uint32(len(c.key)))
	return subtle.ConstantTimeCompare(key, c.key) == 1 && known, nil
}

// encodeHash returns the PHC string, which includes the cost.
func encodeHash(memory uint32, salt, key []byte) string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, memory, argonTime, argonThreads,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key))
}

type argonHash struct {
	memory, time uint32
	threads      uint8
	salt, key    []byte
}

func decodeHash(hash string) (c argonHash, err error) {
	var version int
	var last string
	_, err = fmt.Sscanf(hash, "$argon2id$v=%d$m=%d,t=%d,p=%d$%s", &version, &c.memory, &c.time, &c.threads, &last)
	salt, key, _ := strings.Cut(last, "$")
	var badSalt, badKey error
	c.salt, badSalt = base64.RawStdEncoding.DecodeString(salt)
	c.key, badKey = base64.RawStdEncoding.DecodeString(key)
	if cmp.Or(err, badSalt, badKey) != nil || version != argon2.Version ||
		c.memory == 0 || c.memory > maxArgonMemory || c.time == 0 || c.time > maxArgonTime || c.threads == 0 ||
		len(c.salt) < 8 || len(c.key) < 16 || len(c.key) > 64 {
		return c, errors.New("a stored password hash has an unknown format")
	}
	return c, nil
}
