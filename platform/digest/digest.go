// Package digest stores which moderators want mail about their open work. Other modules must not import it.
package digest

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/platform/queue"
)

// Settings are a moderator's choices for digests.
type Settings struct {
	Every  Every `json:"every"`
	Urgent bool  `json:"urgent"` // at once about what is overdue or escalated to them
}

// Every is how often a digest is sent.
type Every string

// Frequencies are the values of Every.
var Frequencies = []Every{"never", "hourly", "daily"}

// Store stores the settings.
type Store struct{ pool *pgxpool.Pool }

// NewStore returns a Store.
func NewStore(pool *pgxpool.Pool) *Store { return &Store{pool} }

// Get returns a user's settings; the default is never and not urgent.
func (s *Store) Get(ctx context.Context, userID string) (Settings, error) {
	found, err := postgres.Collect(ctx, s.pool, "read the digest of an account", pgx.RowToStructByPos[Settings],
		`SELECT every, urgent FROM core_digests WHERE user_id = $1`, userID)
	if err != nil || len(found) == 0 {
		return Settings{Every: "never"}, err
	}
	return found[0], nil
}

// Set stores a user's settings and the language of their mail.
func (s *Store) Set(ctx context.Context, userID string, to Settings, language string) error {
	stop := make([]byte, 32)
	_, _ = rand.Read(stop) // it never fails
	return postgres.Exec(ctx, s.pool, "store the digest of an account", `INSERT INTO core_digests (user_id, every, urgent, language, stop) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (user_id) DO UPDATE SET (every, urgent, language) = (EXCLUDED.every, EXCLUDED.urgent, EXCLUDED.language)`,
		userID, to.Every, to.Urgent, language, stop)
}

// Stop ends the digests of the link's owner. An unknown token is a fault.
func (s *Store) Stop(ctx context.Context, token string) error {
	stop, err := base64.RawURLEncoding.DecodeString(token)
	if err == nil {
		err = postgres.ExecFound(ctx, s.pool, "stop a digest", `UPDATE core_digests SET every = 'never', urgent = false WHERE stop = $1`, stop)
		if domain.ErrorCode(err) != domain.CodeNotFound {
			return err
		}
	}
	return domain.Invalid(domain.Issue{Path: "token", Code: "invalid_link", Message: "This link stops no mail."})
}

// Reader is an enabled account with an email that wants digests.
type Reader struct {
	UserID, Email, Name, Language string
	Settings
	Stop    string // the token of the link that ends it
	SentAt  *time.Time
	ToldDue *time.Time
}

const selectReaders = `SELECT d.user_id::text, u.email, u.name, d.language, d.every, d.urgent, d.stop, d.sent_at, d.told_due
	FROM core_digests d JOIN core_users u ON u.id = d.user_id WHERE u.disabled_at IS NULL AND u.email <> '' AND (d.every <> 'never' OR d.urgent)`

func scanReader(row pgx.CollectableRow) (r Reader, err error) {
	var stop []byte
	err = row.Scan(&r.UserID, &r.Email, &r.Name, &r.Language, &r.Every, &r.Urgent, &stop, &r.SentAt, &r.ToldDue)
	r.Stop = base64.RawURLEncoding.EncodeToString(stop)
	return r, err
}

// Readers lists the accounts that want digests.
func (s *Store) Readers(ctx context.Context) ([]Reader, error) {
	return postgres.Collect(ctx, s.pool, "list readers of digests", scanReader, selectReaders+` ORDER BY d.user_id`)
}

// Reader returns the reader with the id, or nil if the account wants no digests.
func (s *Store) Reader(ctx context.Context, userID string) (*Reader, error) {
	return postgres.CollectFirst(ctx, s.pool, "read a reader of digests", scanReader, selectReaders+` AND d.user_id = $1`, userID)
}

// Due reports whether the reader's next digest may be sent at a time.
func (r *Reader) Due(now time.Time) bool {
	pause := map[Every]time.Duration{"hourly": time.Hour, "daily": 24 * time.Hour}[r.Every]
	return pause > 0 && (r.SentAt == nil || !r.SentAt.Add(pause).After(now))
}

// Enqueue records that the reader is mailed and enqueues the task, both or neither. It does neither if another server
// has recorded a mail since r was read.
func (s *Store) Enqueue(ctx context.Context, r Reader, sentAt, toldDue *time.Time, task queue.Task) error {
	return postgres.Transact(ctx, s.pool, "enqueue a digest", func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `UPDATE core_digests SET sent_at = $2, told_due = $3
			WHERE user_id = $1 AND sent_at IS NOT DISTINCT FROM $4 AND told_due IS NOT DISTINCT FROM $5`, r.UserID, sentAt, toldDue, r.SentAt, r.ToldDue)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		return queue.EnqueueTx(ctx, tx, task)
	})
}
