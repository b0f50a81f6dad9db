package targetscope

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

func TestTriggerFollowsAMove(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.post(1, at("general"))
	b.report(1, "general")

	for _, to := range []*string{at("support"), at("support"), nil, at("general")} {
		b.move(1, to)
		want := ""
		if to != nil {
			want = *to
		}
		b.requireScope(1, want)
	}
}

func TestMoveBeforeTheReportIsFiledWins(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	// Given a capture that read `general`, and a move before the filing commits,
	b.post(1, at("general"))
	b.move(1, at("support"))
	// when the report is filed with what was captured,
	b.report(1, "general")
	// then lists see where the target is.
	b.requireScope(1, "support")
}

func TestTriggerIsQuietAboutAllElse(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.post(1, at("general"))
	b.exec(`UPDATE "forum posts" SET body = 'edited', hidden_at = now()`)
	b.exec(`DELETE FROM "forum posts"`)

	targets := pgtest.One[int](t, b.pool, `SELECT count(*) FROM core_moderation_targets`)
	require.Zero(t, targets)
}

func TestInstallIsIdempotentAndReplacesAnEarlierOne(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	require.NoError(t, Install(t.Context(), b.pool, posts))
	topics := posts
	topics.Type = "forum.topic" // another target type over the same table
	require.NoError(t, Install(t.Context(), b.pool, topics))

	b.exec(`ALTER TABLE "forum posts" ADD section text`)
	moved := posts
	moved.ScopeColumn = "section"
	require.NoError(t, Install(t.Context(), b.pool, moved))
	require.NoError(t, Install(t.Context(), b.pool, moved))

	names := pgtest.All[string](t, b.pool, `SELECT tgname FROM pg_trigger WHERE tgrelid = '"forum posts"'::regclass`)
	require.ElementsMatch(t, []string{topics.name(), moved.name()}, names)

	b.post(1, at("general"))
	b.report(1, "general")
	b.exec(`UPDATE "forum posts" SET section = 'news'`)
	b.requireScope(1, "news")
}

func TestInstallSaysWhichTableIsMissing(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	nowhere := posts
	nowhere.Table = "nowhere"
	require.ErrorContains(t, Install(t.Context(), b.pool, nowhere), "install scope trigger on nowhere")
}

func TestTriggerArgumentsAreQuoted(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	hostile := posts
	hostile.PluginID, hostile.Type = `f'; DROP TABLE core_users; --`, `a'b"c\d`
	require.NoError(t, Install(t.Context(), b.pool, hostile))
	b.post(1, at("general"))
	b.move(1, at("support"))

	scope := pgtest.One[string](t, b.pool, `SELECT scope_id FROM core_moderation_targets WHERE plugin_id = $1 AND target_type = $2`,
		hostile.PluginID, hostile.Type)
	require.Equal(t, "support", scope)
}

func TestContentTypeSaysWhatToFollow(t *testing.T) {
	t.Parallel()
	ct := &content.Type{
		ID: "forum.post", Table: "forum_posts", Key: content.Key{Column: "id"},
		Scope: &content.Scope{Column: "category_id", Family: family}, Reports: &content.Reports{},
	}
	got, ok := ForType("forum", ct)
	require.True(t, ok)
	require.Equal(t, Content{"forum", "forum.post", family, "forum_posts", "id", "category_id", "", ""}, got)

	for _, without := range []*content.Type{{Scope: ct.Scope}, {Reports: ct.Reports}} {
		_, ok = ForType("forum", without)
		require.False(t, ok)
	}
}

func TestTriggerInAnotherSchema(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.exec(`CREATE SCHEMA "the forum"`)
	b.exec(`CREATE TABLE "the forum".posts (id uuid PRIMARY KEY, category bigint)`)
	c := Content{"forum", "forum.post", family, "the forum.posts", "id", "category", "", ""}
	require.NoError(t, Install(t.Context(), b.pool, c))
	require.NoError(t, Install(t.Context(), b.pool, c))
	b.exec(`INSERT INTO "the forum".posts VALUES ('0190a3c4-0000-7000-8000-00000000000a', 1)`)
	b.exec(`UPDATE "the forum".posts SET category = 9007199254740993`)

	var id, scope string
	require.NoError(t, b.pool.QueryRow(t.Context(), `SELECT target_id, scope_id FROM core_moderation_targets`).Scan(&id, &scope))
	require.Equal(t, "0190a3c4-0000-7000-8000-00000000000a", id)
	require.Equal(t, "9007199254740993", scope)
}

// A record of many locales is in one scope, as ResolveScope says: that of the row in
// its default locale.
func TestTriggerFollowsTheRowOfTheDefaultLocale(t *testing.T) {
	t.Parallel()
	b := &bundle{t, pgtest.New(t)}
	b.exec(`CREATE TABLE "forum posts" (id bigint, lang varchar(8), "category's id" text)`)
	localised := posts
	localised.LocaleColumn, localised.Locale = "lang", "en"
	require.NoError(t, Install(t.Context(), b.pool, localised))
	b.exec(`INSERT INTO "forum posts" VALUES (1, 'EN', 'general'), (1, 'de', 'general')`)
	b.report(1, "general")
	b.exec(`UPDATE "forum posts" SET "category's id" = 'support' WHERE lang = 'de'`)
	b.requireScope(1, "general")
	b.exec(`UPDATE "forum posts" SET "category's id" = 'offtopic' WHERE lang = 'EN'`)
	b.requireScope(1, "offtopic")
}

// role is another one than Docket's.
func (b *bundle) role() string {
	b.t.Helper()
	name := "app_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	b.exec(`CREATE ROLE ` + name)
	b.t.Cleanup(func() {
		pgtest.Exec(b.t, b.pool, `DROP OWNED BY `+name+`; DROP ROLE `+name)
	})
	return name
}

// The tables are the host application's: whatever it writes, and as whom, its own
// statement goes through.
func TestTheApplicationsOwnWritesGoThrough(t *testing.T) {
	t.Parallel()
	b := &bundle{t, pgtest.New(t)}
	b.exec(`CREATE TABLE "forum posts" (id char(8) UNIQUE, "category's id" text, extra json)`)
	require.NoError(t, Install(t.Context(), b.pool, posts))
	app := b.role()
	b.exec(`GRANT ALL ON "forum posts" TO ` + app)
	b.exec(`INSERT INTO "forum posts" VALUES ('1', 'general', '{"a":"\u0000"}'), ('2', 'general', NULL), (NULL, 'general', NULL)`)

	b.exec(`BEGIN; SET LOCAL ROLE ` + app + `; UPDATE "forum posts" SET "category's id" = 'support'; COMMIT`)

	b.requireScope(1, "support")
	b.requireScope(2, "support")
	for _, none := range []string{strings.Repeat("x", 100_000), "no id!", ""} {
		b.exec(`UPDATE "forum posts" SET "category's id" = $1`, none)
		b.requireScope(1, "")
		b.exec(`UPDATE "forum posts" SET "category's id" = 'general'`)
		b.requireScope(1, "general")
	}

	b.exec(`ALTER TABLE core_moderation_targets RENAME TO elsewhere`)
	b.exec(`UPDATE "forum posts" SET "category's id" = 'offtopic'`)
	b.exec(`ALTER TABLE elsewhere RENAME TO core_moderation_targets`)
	b.requireScope(1, "general") // until the job asks
}

func TestNobodyElsePutsTheTriggerOnATable(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	app := b.role()
	b.exec(`GRANT CREATE ON SCHEMA public TO ` + app)
	_, err := b.pool.Exec(t.Context(), `BEGIN; SET LOCAL ROLE `+app+`; CREATE TABLE mine (id bigint, body text); CREATE TRIGGER own AFTER UPDATE ON mine
		FOR EACH ROW EXECUTE FUNCTION core_moderation_follow_scope('forum', 'forum.post', 'forum.category', 'id', 'body')`)
	require.ErrorContains(t, err, "permission denied for function core_moderation_follow_scope")
}
