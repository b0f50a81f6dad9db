package targetscope

import (
	"context"
	"strconv"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

const family = "forum.category"

// postsTable is a content table as a plugin would have one, with names that
// need quoting.
const postsTable = `CREATE TABLE "forum posts" (
	id bigint PRIMARY KEY, "category's id" text, body text NOT NULL DEFAULT '', hidden_at timestamptz)`

var posts = Content{
	PluginID: "forum", Type: "forum.post", Family: family,
	Table: "forum posts", KeyColumn: "id", ScopeColumn: "category's id",
}

type bundle struct {
	t    *testing.T
	pool *pgxpool.Pool
}

// newBundle is a database with a content table that has the trigger.
func newBundle(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{t, pgtest.New(t)}
	b.exec(postsTable)
	require.NoError(t, Install(t.Context(), b.pool, posts))
	return b
}

func (b *bundle) exec(sql string, args ...any) {
	b.t.Helper()
	pgtest.Exec(b.t, b.pool, sql, args...)
}

// post writes content in a category; nil is none.
func (b *bundle) post(id int, category *string) {
	b.t.Helper()
	b.exec(`INSERT INTO "forum posts" (id, "category's id") VALUES ($1, $2)`, id, category)
}

func (b *bundle) move(id int, category *string) {
	b.t.Helper()
	b.exec(`UPDATE "forum posts" SET "category's id" = $2 WHERE id = $1`, id, category)
}

// report stores a report of a post, and its target as filing does.
func (b *bundle) report(id int, category string) {
	b.t.Helper()
	b.exec(`INSERT INTO core_moderation_reports (id, status, version, sequence, plugin_id, target_type, target_id,
			permission_module, locale, requested_locale, reason, title, excerpt, search, created_at, updated_at)
		VALUES ($1, 'new', 1, 1, 'forum', 'forum.post', $2, 'posts', 'en', 'en', 'spam', '', '', '', now(), now())`,
		uuid.NewString(), strconv.Itoa(id))
	b.exec(fileTarget, strconv.Itoa(id), category)
}

const fileTarget = `INSERT INTO core_moderation_targets (plugin_id, target_type, target_id, scope_family, scope_id)
	VALUES ('forum', 'forum.post', $1, 'forum.category', $2) ON CONFLICT DO NOTHING`

// stored is the scope of a post as lists see it; "" families are unscoped.
func (b *bundle) stored(id int) (family, scope string) {
	b.t.Helper()
	err := b.pool.QueryRow(b.t.Context(), `SELECT coalesce(scope_family, ''), coalesce(scope_id, '<null>')
		FROM core_moderation_targets WHERE plugin_id = 'forum' AND target_type = 'forum.post' AND target_id = $1`,
		strconv.Itoa(id)).Scan(&family, &scope)
	require.NoError(b.t, err)
	return family, scope
}

func (b *bundle) requireScope(id int, want string) {
	b.t.Helper()
	gotFamily, got := b.stored(id)
	require.Equal(b.t, family, gotFamily)
	require.Equal(b.t, want, got)
}

func (b *bundle) category(ctx context.Context, id string) (string, bool, error) {
	var category string
	rows, err := b.pool.Query(ctx, `SELECT coalesce("category's id", '') FROM "forum posts" WHERE id = $1::text::bigint`, id)
	if err != nil {
		return "", false, err
	}
	defer rows.Close()
	if !rows.Next() {
		return "", false, rows.Err()
	}
	return category, true, rows.Scan(&category)
}

func at(category string) *string { return &category }
