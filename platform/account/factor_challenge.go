package account

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/platform/account/factor"
)

// The limits of challenges.
const (
	// signInStep is how long a person may take for the second step of a sign-in.
	signInStep = 5 * time.Minute
	// additionStep is how long a person may take to add a factor.
	additionStep = 15 * time.Minute
	// wrongPerSignIn is how many wrong answers end a sign-in.
	wrongPerSignIn = 5
	// wrongPerAccount is how many wrong answers within wrongWindow block an account's codes of authenticator apps, the
	// only ones that could be guessed.
	wrongPerAccount = 10
	wrongWindow     = time.Hour
	// maxSignIns bounds how many sign-ins of an account without a wrong answer can be waiting for their second step.
	maxSignIns = 20
)

// The purposes of challenges.
const (
	challengeSignIn  = "sign-in"
	challengeTOTP    = "totp"
	challengePasskey = "passkey"
)

// SecondStep is what a sign-in needs after its password.
type SecondStep struct {
	Token     string          // valid once, and not stored
	Kinds     []factor.Kind   // that the account can prove
	Passkey   json.RawMessage // the options of the browser's ceremony; nil without a passkey
	ExpiresAt time.Time
}

// challenge is a started sign-in or addition of a factor.
type challenge struct {
	id, userID string
	sealed     []byte
	mac        []byte
	wrong      int
}

func signInBinding(userID string, hash []byte) binding { return binding{"sign-in", userID, hash} }

// beginSecondStep returns nil if the account has no second factor. The account's lock must be held.
func (s *Store) beginSecondStep(ctx context.Context, tx pgx.Tx, user User) (*SecondStep, error) {
	held, err := factorsOf(ctx, tx, user.ID)
	if err != nil || len(held) == 0 {
		return nil, err
	}
	now := s.time()
	step := &SecondStep{Token: NewSecret(), ExpiresAt: now.Add(signInStep)}
	id, hash := newID(), HashSecret(step.Token)
	var expects []byte
	owner, passkeys := s.passkeysOf(user, held)
	if s.passkeys != nil && len(passkeys) > 0 {
		ceremony, err := s.passkeys.Prove(owner)
		if err != nil {
			return nil, err
		}
		step.Kinds, step.Passkey = append(step.Kinds, factor.Passkey), ceremony.Options
		expects = s.seals.Seal(user.ID, id, ceremony.Expects)
	}
	if slices.ContainsFunc(held, func(h heldFactor) bool { return h.Kind == factor.TOTP }) {
		step.Kinds = append(step.Kinds, factor.TOTP)
	}
	left, err := recoveryLeft(ctx, tx, user.ID)
	if err != nil {
		return nil, err
	}
	if left > 0 {
		step.Kinds = append(step.Kinds, factor.Recovery)
	}
	const task = "begin the second step of a sign-in"
	err = postgres.Exec(ctx, tx, task, `INSERT INTO core_factor_challenges (id, purpose, user_id, hash, mac, secret, created_at, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`, id, challengeSignIn, user.ID, hash, s.keys.mac(signInBinding(user.ID, hash)), expects, now, step.ExpiresAt)
	if err != nil {
		return nil, err
	}
	// Sign-ins with wrong answers stay, since these count.
	return step, postgres.Exec(ctx, tx, task, `DELETE FROM core_factor_challenges WHERE id = ANY (ARRAY(
		SELECT id FROM core_factor_challenges WHERE user_id = $1 AND purpose = $2 AND wrong = 0 ORDER BY created_at DESC, id DESC OFFSET $3))`,
		user.ID, challengeSignIn, maxSignIns)
}

// lockSignIn locks the account of a sign-in, and then the sign-in, which must still be open.
func (s *Store) lockSignIn(ctx context.Context, tx pgx.Tx, token string) (challenge, User, error) {
	hash := HashSecret(token)
	user, err := postgres.CollectFound(ctx, tx, "lock the account of a sign-in", scanUser, `SELECT `+userColumns+` FROM core_users u
		WHERE u.id = (SELECT user_id FROM core_factor_challenges WHERE hash = $1) AND u.disabled_at IS NULL FOR NO KEY UPDATE OF u`, hash)
	if err != nil {
		return challenge{}, User{}, overIfGone(err)
	}
	c, err := postgres.CollectFound(ctx, tx, "read a sign-in", func(row pgx.CollectableRow) (c challenge, err error) {
		return c, row.Scan(&c.id, &c.userID, &c.sealed, &c.wrong, &c.mac)
	}, `SELECT id::text, user_id::text, secret, wrong, mac FROM core_factor_challenges WHERE hash = $1 AND purpose = $2 AND expires_at > $3 AND wrong < $4`,
		hash, challengeSignIn, s.time(), wrongPerSignIn)
	if err != nil {
		return challenge{}, User{}, overIfGone(err)
	}
	if ok, _ := s.accepts(signInBinding(c.userID, hash), c.mac); !ok || c.userID != user.ID {
		return challenge{}, User{}, signInOver()
	}
	return c, user, nil
}

// overIfGone converts not_found to the error of a sign-in that has ended, and returns other errors unchanged.
func overIfGone(err error) error {
	if errors.Is(err, domain.NotFound()) {
		return signInOver()
	}
	return err
}

func signInOver() error {
	return domain.Errorf(domain.CodeUnauthorized, "This sign-in has ended: it took too long, was used already, or had %d wrong answers. Begin again with your password.", wrongPerSignIn)
}

// beginAddition begins the addition of a factor, and ends the account's earlier one of the same purpose. The account's
// lock must be held.
func (s *Store) beginAddition(ctx context.Context, tx pgx.Tx, userID, purpose string, secret []byte) error {
	id, now := newID(), s.time()
	if err := postgres.Exec(ctx, tx, "end a former addition", "DELETE FROM core_factor_challenges WHERE user_id = $1 AND purpose = $2", userID, purpose); err != nil {
		return err
	}
	return postgres.Exec(ctx, tx, "begin to add a factor", `INSERT INTO core_factor_challenges (id, purpose, user_id, secret, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)`,
		id, purpose, userID, s.seals.Seal(userID, id, secret), now, now.Add(additionStep))
}

// addition returns the secret of the account's started addition for this purpose.
func (s *Store) addition(ctx context.Context, tx pgx.Tx, userID, purpose string) ([]byte, error) {
	secret, err := postgres.CollectFound(ctx, tx, "read an addition", func(row pgx.CollectableRow) ([]byte, error) {
		var c challenge
		if err := row.Scan(&c.id, &c.sealed); err != nil {
			return nil, err
		}
		return s.open(userID, c.id, c.sealed)
	}, "SELECT id::text, secret FROM core_factor_challenges WHERE user_id = $1 AND purpose = $2 AND expires_at > $3", userID, purpose, s.time())
	if errors.Is(err, domain.NotFound()) || errors.Is(err, factor.ErrSealed) {
		err = domain.Errorf(domain.CodeInvalidState, "Nothing was begun in the last %d minutes: begin again.", int(additionStep.Minutes()))
	}
	return secret, err
}
