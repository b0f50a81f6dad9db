package account

import (
	"context"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/platform/egress"
)

// How a key set is cached. The remote key set of go-oidc caches a key for ever, even one that the host has withdrawn,
// and fetches for every unknown kid.
const (
	keysFreshFor  = 5 * time.Minute  // a withdrawn key is refused after this
	keysUsableFor = time.Hour        // and after that, if the host does not respond
	keysRetry     = 10 * time.Second // between two requests, for any tokens
	keysTimeout   = 5 * time.Second
	maxKeySet     = 256 << 10 // bytes
	maxKeys       = 50
	maxRSA        = 8192 // bits; verifying with a larger modulus is slow
)

// keySet is a remote JSON Web Key Set. The request that needs it fetches it, when a
// token has an unknown key or the keys have expired. It implements oidc.KeySet.
type keySet struct {
	url    string
	now    func() time.Time
	client *http.Client

	fetching chan struct{} // full while a fetch runs

	mu        sync.Mutex
	keys      []jose.JSONWebKey // never changed, only replaced
	fetchedAt time.Time         // of keys
	triedAt   time.Time         // last request, successful or not
}

func newKeySet(url string, o egress.Options, now func() time.Time) *keySet {
	o.Timeout = keysTimeout
	return &keySet{
		url: url, now: now, fetching: make(chan struct{}, 1),
		client: egress.NewClient(o),
	}
}

// VerifySignature returns the payload of a token that one of the keys signed.
func (s *keySet) VerifySignature(ctx context.Context, token string) ([]byte, error) {
	accepted := domain.Map(algorithms, func(a string) jose.SignatureAlgorithm { return jose.SignatureAlgorithm(a) })
	jws, err := jose.ParseSignedCompact(token, accepted)
	if err != nil {
		return nil, err
	}
	header := jws.Signatures[0].Header
	keys, err := s.current(ctx, header.KeyID)
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		if !suits(key, header) {
			continue
		}
		if payload, err := jws.Verify(key.Key); err == nil {
			return payload, nil
		}
	}
	return nil, errors.New("no key of the host verifies the signature")
}

func suits(key jose.JSONWebKey, header jose.Header) bool {
	return (header.KeyID == "" || key.KeyID == header.KeyID) &&
		(key.Algorithm == "" || key.Algorithm == header.Algorithm)
}

// current returns the keys to search for kid, after fetching them if necessary and
// allowed.
func (s *keySet) current(ctx context.Context, kid string) ([]jose.JSONWebKey, error) {
	keys, fresh, _ := s.cached(kid)
	if fresh {
		return keys, nil
	}
	select {
	case s.fetching <- struct{}{}:
	default:
		if known(keys, kid) {
			return keys, nil // expired, and being fetched
		}
		select {
		case s.fetching <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	defer func() { <-s.fetching }()

	// An earlier fetch may have got the key.
	keys, fresh, pausing := s.cached(kid)
	if fresh || pausing {
		return keys, nil
	}
	if err := s.refresh(ctx); err != nil && keys == nil {
		return nil, fmt.Errorf("fetch the keys of the host: %w", err)
	}
	keys, _, _ = s.cached(kid)
	return keys, nil
}

// cached returns the usable keys, or nil; whether they are fresh and include kid; and whether it is too soon to fetch
// them again.
func (s *keySet) cached(kid string) (keys []jose.JSONWebKey, fresh, pausing bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	age := now.Sub(s.fetchedAt)
	if age >= keysUsableFor {
		s.keys = nil
	}
	return s.keys, age < keysFreshFor && known(s.keys, kid), now.Sub(s.triedAt) < keysRetry
}

func known(keys []jose.JSONWebKey, kid string) bool {
	return slices.ContainsFunc(keys, func(k jose.JSONWebKey) bool { return kid == "" || k.KeyID == kid })
}

// unavailable reports whether there are no usable keys although they were requested.
func (s *keySet) unavailable() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.keys == nil && !s.triedAt.IsZero()
}

// refresh fetches the keys until the deadline of ctx at most. All waiting requests share it, so it goes on if one of
// them is cancelled.
func (s *keySet) refresh(ctx context.Context) error {
	s.mu.Lock()
	s.triedAt = s.now()
	s.mu.Unlock()
	shared := context.WithoutCancel(ctx)
	if until, bounded := ctx.Deadline(); bounded {
		var cancel context.CancelFunc
		shared, cancel = context.WithDeadline(shared, until)
		defer cancel()
	}
	keys, err := s.fetch(shared)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.keys, s.fetchedAt = keys, s.now()
	s.mu.Unlock()
	return nil
}

func (s *keySet) fetch(ctx context.Context) ([]jose.JSONWebKey, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/jwk-set+json, application/json")
	response, err := s.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("answered %s", response.Status)
	}
	raw, err := io.ReadAll(io.LimitReader(response.Body, maxKeySet+1))
	if err != nil {
		return nil, err
	}
	if len(raw) > maxKeySet {
		return nil, fmt.Errorf("answered more than %d bytes", maxKeySet)
	}
	return parseKeys(raw)
}

// parseKeys returns the public signature keys. It ignores other kinds of keys (RFC 7517, section 5) and RSA keys of
// more than maxRSA bits.
func parseKeys(raw []byte) ([]jose.JSONWebKey, error) {
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(raw, &set); err != nil {
		return nil, fmt.Errorf("answered no key set: %w", err)
	}
	keys := []jose.JSONWebKey{}
	for _, one := range set.Keys[:min(len(set.Keys), maxKeys)] {
		var key jose.JSONWebKey
		if json.Unmarshal(one, &key) != nil || !key.Valid() || !key.IsPublic() || key.Use != "" && key.Use != "sig" {
			continue
		}
		if r, ok := key.Key.(*rsa.PublicKey); ok && r.N.BitLen() > maxRSA {
			continue
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, errors.New("answered no key for signatures")
	}
	return keys, nil
}
