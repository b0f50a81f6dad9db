package account

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/platform/account/factor"
)

// FactorLedger declares what the ledger proves about second factors: who has which, and who removed one.
var FactorLedger = &ledger.Table{Kind: "factor", Name: "core_factors", Key: "id", Owner: "user_id", Columns: []string{"user_id", "kind", "created_at"}}

// Factor is a second factor of an account.
type Factor struct {
	ID         string       `json:"id"`
	Kind       factor.Kind  `json:"kind"`
	Name       *string      `json:"name"` // of a passkey
	CreatedAt  domain.Time  `json:"createdAt"`
	LastUsedAt *domain.Time `json:"lastUsedAt"`
}

// Factors are an account's second factors.
type Factors struct {
	Factors      []Factor `json:"factors"`      // oldest first
	RecoveryLeft int      `json:"recoveryLeft"` // codes that were not used
	Passkeys     bool     `json:"passkeys"`     // they can be added here
}

// Factors returns the second factors of an account.
func (s *Store) Factors(ctx context.Context, userID string) (Factors, error) {
	held, err := factorsOf(ctx, s.pool, userID)
	if err != nil {
		return Factors{}, err
	}
	f := Factors{Factors: domain.Map(held, func(h heldFactor) Factor { return h.Factor }), Passkeys: s.passkeys != nil}
	f.RecoveryLeft, err = recoveryLeft(ctx, s.pool, userID)
	return f, err
}

func recoveryLeft(ctx context.Context, db postgres.Querier, userID string) (int, error) {
	return postgres.CollectOne(ctx, db, "count recovery codes", pgx.RowTo[int], "SELECT count(*)::int FROM core_recovery_codes WHERE user_id = $1", userID)
}

// heldFactor is a factor with the data to verify it.
type heldFactor struct {
	Factor
	sealed  []byte
	counter int64
}

// factorsOf uses the index core_factors_user.
func factorsOf(ctx context.Context, db postgres.Querier, userID string) ([]heldFactor, error) {
	return postgres.Collect(ctx, db, "list factors", func(row pgx.CollectableRow) (h heldFactor, err error) {
		return h, row.Scan(&h.ID, &h.Kind, &h.Name, &h.CreatedAt, &h.LastUsedAt, &h.sealed, &h.counter)
	}, "SELECT id::text, kind, nullif(name, ''), created_at, last_used_at, secret, counter FROM core_factors WHERE user_id = $1 ORDER BY created_at, id", userID)
}

// open returns the secret in a sealed value of the account's row.
func (s *Store) open(userID, rowID string, sealed []byte) ([]byte, error) {
	secret, _, err := s.seals.Open(userID, rowID, sealed, s.loose(s.boundSince))
	return secret, err
}

// passkeysOf returns the owner of passkeys, with the factor of each. It omits those that cannot be opened.
func (s *Store) passkeysOf(user User, held []heldFactor) (o factor.Owner, each []heldFactor) {
	o = factor.Owner{ID: user.ID, Name: user.Name, Email: user.label()}
	for _, h := range held {
		if h.Kind != factor.Passkey {
			continue
		}
		var c webauthn.Credential
		if text, err := s.open(user.ID, h.ID, h.sealed); err != nil || json.Unmarshal(text, &c) != nil {
			continue
		}
		o.Credentials, each = append(o.Credentials, c), append(each, h)
	}
	return o, each
}

// label returns an account's name in authenticators.
func (u User) label() string { return cmp.Or(u.Email, u.Name) }
