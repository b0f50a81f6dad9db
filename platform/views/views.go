// Package views stores the board views that moderators save. Other modules must not import it.
package views

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
)

// The bounds of views.
const (
	MaxName  = 100  // characters
	MaxQuery = 4000 // characters of a board's query string
	MaxViews = 100  // of one account
)

// View is a saved view: a name for a query string of the board.
type View struct {
	Name      string      `json:"name"`
	Query     string      `json:"query"`
	UpdatedAt domain.Time `json:"updatedAt"`
}

// List pages views by name.
var List = paging.List{ID: paging.ID{Expr: "name", Kind: paging.Text}}

// Store stores views. It is safe for concurrent use.
type Store struct {
	pool *pgxpool.Pool
	now  func() time.Time
}

// New returns a Store.
func New(pool *pgxpool.Pool, now func() time.Time) *Store { return &Store{pool, now} }

// CheckName reports whether a view can have the name. It rejects . and .., which browsers remove
// from paths, since such a view could not be deleted.
func CheckName(name string) bool {
	return domain.Visible(name) && name != "." && name != ".." && name == strings.TrimSpace(name) && domain.Storable(name) &&
		utf8.RuneCountInString(name) <= MaxName
}

// All reads a page of a user's views.
func (s *Store) All(ctx context.Context, userID string, r paging.Request) (paging.Page[View], error) {
	return sqlpage.List[View]{Task: "list views",
		SQL: `SELECT name, query, updated_at FROM core_moderation_views WHERE user_id = $1`, Args: []any{userID},
		Scan: pgx.RowToStructByPos[View],
		Key: func(v View) paging.Position {
			return paging.Position{Value: paging.TextValue(v.Name), ID: paging.TextValue(v.Name)}
		}}.Read(ctx, s.pool, r)
}

// Get reads one view, or NotFound.
func (s *Store) Get(ctx context.Context, userID, name string) (View, error) {
	return postgres.CollectFound(ctx, s.pool, "read view", pgx.RowToStructByPos[View],
		`SELECT name, query, updated_at FROM core_moderation_views WHERE user_id = $1 AND name = $2`, userID, name)
}

// Put creates or replaces a view. Two concurrent calls may exceed MaxViews by one each.
func (s *Store) Put(ctx context.Context, userID, name, query string) (View, error) {
	if utf8.RuneCountInString(query) > MaxQuery {
		return View{}, domain.Invalid(domain.Issue{Path: "query", Code: "too_long", Message: fmt.Sprintf("Must have at most %d characters.", MaxQuery)})
	}
	now := s.now().UTC().Truncate(time.Microsecond)
	tag, err := s.pool.Exec(ctx, `INSERT INTO core_moderation_views (user_id, name, query, updated_at)
		SELECT $1, $2, $3, $4
		WHERE EXISTS (SELECT 1 FROM core_moderation_views WHERE user_id = $1 AND name = $2)
		   OR (SELECT count(*) FROM core_moderation_views WHERE user_id = $1) < $5
		ON CONFLICT (user_id, name) DO UPDATE SET query = excluded.query, updated_at = excluded.updated_at`,
		userID, name, query, now, MaxViews)
	if err != nil {
		return View{}, fmt.Errorf("save view: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return View{}, domain.Invalid(domain.Issue{Path: "name", Code: "too_many", Message: fmt.Sprintf("You have %d views: delete one first.", MaxViews)})
	}
	return View{name, query, domain.Time(now)}, nil
}

// Delete removes a view. It succeeds if there is none.
func (s *Store) Delete(ctx context.Context, userID, name string) error {
	return postgres.Exec(ctx, s.pool, "delete view", `DELETE FROM core_moderation_views WHERE user_id = $1 AND name = $2`, userID, name)
}
