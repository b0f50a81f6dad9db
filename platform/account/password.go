package account

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/crypto/argon2"

	"github.com/docketmod/docket/domain"
)

// The cost of a password: argon2id with OWASP's smallest recommended memory,
// about 30 ms, so that guessing is dear and signing in is not.
const (
	argonMemory  = 19 * 1024 // KiB
	argonTime    = 2
	argonThreads = 1
	argonSalt    = 16
	argonKey     = 32

	// The most that a stored hash may ask for, should the cost ever be raised.
	maxArgonMemory = 64 * 1024
	maxArgonTime   = 10
)

// maxSlotWait is how long one waits for a slot before being told to come back.
const maxSlotWait = 10 * time.Second

// passwords hashes and verifies, so many at once as it has slots.
type passwords struct {
	slots  chan struct{}
	memory uint32 // KiB; tests take less
	dummy  string // verified against where there is no hash, to take as long
}

func newPasswords(slots int, memory uint32) *passwords {
	// The dummy's key is no hash of anything: nothing verifies against it.
	return &passwords{slots: make(chan struct{}, slots), memory: memory, dummy: encodeHash(memory, make([]byte, argonSalt), make([]byte, argonKey))}
}

// slot waits for a slot, to be given back by release. Its error is unavailable
// when too many are waiting.
func (p *passwords) slot(ctx context.Context) (release func(), err error) {
	timer := time.NewTimer(maxSlotWait)
	defer timer.Stop()
	select {
	case p.slots <- struct{}{}:
		return func() { <-p.slots }, nil
	case <-timer.C:
		return nil, domain.Errorf(domain.CodeUnavailable, "Too many people are signing in; try again shortly.")
	case <-ctx.Done():
		return nil, fmt.Errorf("wait to hash a password: %w", ctx.Err())
	}
}

func (p *passwords) hash(ctx context.Context, password string) (string, error) {
	release, err := p.slot(ctx)
	if err != nil {
		return "", err
	}
	defer release()
	salt := make([]byte, argonSalt)
	_, _ = rand.Read(salt)
	return encodeHash(p.memory, salt, argon2.IDKey([]byte(password), salt, argonTime, p.memory, argonThreads, argonKey)), nil
}

// verify tells whether the password is the one of the hash; its caller holds a
// slot. An empty hash, of an account without a password or of none at all,
// takes as long to be false.
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

// encodeHash writes the PHC string, which names its own cost.
func encodeHash(memory uint32, salt, key []byte) string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, memory, argonTime, argonThreads,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key))
}

type argonHash struct {
	memory, time uint32
	threads      uint8
	salt, key    []byte
}

var errBadHash = errors.New("a stored password hash is not of a form known here")

func decodeHash(hash string) (argonHash, error) {
	var c argonHash
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return c, errBadHash
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &c.memory, &c.time, &c.threads); err != nil {
		return c, errBadHash
	}
	var err error
	if c.salt, err = base64.RawStdEncoding.DecodeString(parts[4]); err != nil {
		return c, errBadHash
	}
	if c.key, err = base64.RawStdEncoding.DecodeString(parts[5]); err != nil {
		return c, errBadHash
	}
	if c.memory == 0 || c.memory > maxArgonMemory || c.time == 0 || c.time > maxArgonTime || c.threads == 0 ||
		len(c.salt) < 8 || len(c.key) < 16 || len(c.key) > 64 {
		return c, errBadHash
	}
	return c, nil
}
