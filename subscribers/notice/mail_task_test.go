package notice

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/mail"
	"github.com/docketmod/docket/platform/platformtest"
	"github.com/docketmod/docket/platform/queue"
)

// resolved stores a report of a reporter with mail, resolved with a shared explanation.
func resolved(t *testing.T, s *Store) (notice string) {
	t.Helper()
	ctx, user, report, eventID := t.Context(), uuid.NewString(), uuid.NewString(), uuid.NewString()
	exec := func(sql string, args ...any) {
		pgtest.Exec(t, s.pool, sql, args...)
	}
	exec(`INSERT INTO core_users (id, email, name, created_at) VALUES ($1, 'member@example.test', 'Member', now())`, user)
	exec(`INSERT INTO core_moderation_reports (id, status, version, sequence, plugin_id, target_type, target_id, permission_module,
			locale, requested_locale, reason, title, excerpt, search, created_at, updated_at, reporter_id)
		VALUES ($1, 'done', 2, 2, 'forum', 'forum.post', '42', 'posts', 'en', 'en', 'spam', 'Grüße', '', '', now(), now(), $2)`, report, user)
	exec(`INSERT INTO core_moderation_report_events (event_id, report_id, sequence, version, type, payload, evidence, occurred_at, prev_hash, hash)
		VALUES ($1, $2, 2, 2, 'resolved', '{"shared":true}', '{"salt":"x","words":{"explanation":"It is gone."}}', now(), '', '')`, eventID, report)
	e := event.Event{ID: eventID, Name: event.ReportResolved, ReportID: report, OccurredAt: time.Now(),
		Payload: fmt.Appendf(nil, `{"reportId":%q,"resolution":"action_taken"}`, report)}
	for range 2 { // a repeat makes no second notice
		require.NoError(t, pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error { return s.handle(ctx, tx, []event.Event{e}) }))
	}
	return pgtest.One[string](t, s.pool, `SELECT id FROM core_notices WHERE event_id = $1`, eventID)
}

func attempt(t *testing.T, s *Store, notice string) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	return s.deliver(ctx, queue.Attempt{}, mailPayload{notice})
}

func TestANoticeIsMailed(t *testing.T) {
	t.Parallel()
	inbox := platformtest.NewMailServer(t)
	server, err := mail.NewServer(inbox.URL + "?from=Docket+<docket@example.test>")
	require.NoError(t, err)
	s := NewStore(pgtest.New(t), nil, server)
	id := resolved(t, s)
	tasks := pgtest.One[int](t, s.pool, `SELECT count(*) FROM core_queue WHERE name = $1`, mailTask)
	require.Equal(t, 1, tasks)
	require.NoError(t, attempt(t, s, id))

	got := inbox.Next()
	require.Equal(t, []string{`"Docket" <docket@example.test>`, "<member@example.test>", "<" + id + "@example.test>"},
		[]string{got.Header.Get("From"), got.Header.Get("To"), got.Header.Get("Message-ID")})
	require.Equal(t, "Your report on \"Grüße\" has been decided.\n\nOutcome: the moderators took action.\n\nFrom the moderators:\nIt is gone.\n", got.Text)
	require.Contains(t, got.HTML, "Grüße")

	t.Log("words that are erased are gone from the notice too")
	pgtest.Exec(t, s.pool, `UPDATE core_moderation_report_events SET evidence = NULL`)
	require.NoError(t, attempt(t, s, id))
	require.NotContains(t, inbox.Next().Text, "It is gone")
}

func TestTheEndOfAMeasureIsMailed(t *testing.T) {
	t.Parallel()
	inbox := platformtest.NewMailServer(t)
	server, err := mail.NewServer(inbox.URL)
	require.NoError(t, err)
	s := NewStore(pgtest.New(t), nil, server)
	s.BaseURL, err = url.Parse("https://forum.example")
	require.NoError(t, err)
	first, ctx, ended := resolved(t, s), t.Context(), uuid.NewString()
	user := pgtest.One[string](t, s.pool, `SELECT user_id::text FROM core_notices WHERE id = $1`, first)
	report := pgtest.One[string](t, s.pool, `SELECT report_id::text FROM core_notices WHERE id = $1`, first)
	impose := `INSERT INTO core_moderation_measures (id, report_id, plugin_id, author, kind, until, because, threshold, imposed_at, ended_at, ended_by)
		VALUES (gen_random_uuid(), $1, 'forum', $2, 'suspend', $3::timestamptz, 'moderator', 0, now() - interval '1 day', $4::timestamptz, $5)`
	pgtest.Exec(t, s.pool, impose, report, user, "2020-01-01T00:00:00Z", time.Now().Add(-time.Minute), "expiry")
	pgtest.Exec(t, s.pool, impose, report, user, "2030-01-02T03:04:05Z", nil, "")
	pgtest.Exec(t, s.pool, impose, report, user, "2031-01-01T00:00:00Z", time.Now().Add(-time.Minute), "moderator")
	pgtest.Exec(t, s.pool, `INSERT INTO core_moderation_report_events (event_id, report_id, sequence, version, type, payload, occurred_at, prev_hash, hash)
		VALUES ($1, $2, 3, 3, 'measure_ended', convert_to(json_build_object('author', json_build_object('pluginId', 'forum', 'id', $3::text), 'kind', 'suspend', 'by', 'expiry')::text, 'UTF8'), now(), '', '')`,
		ended, report, user)
	e := event.Event{ID: ended, Name: event.MeasureEnded, ReportID: report, OccurredAt: time.Now(),
		Payload: fmt.Appendf(nil, `{"pluginId": "forum", "authorId": %q, "kind": "suspend", "by": "expiry"}`, user)}
	for range 2 {
		require.NoError(t, pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error { return s.handle(ctx, tx, []event.Event{e}) }))
	}
	require.Equal(t, 2, pgtest.One[int](t, s.pool, `SELECT count(*) FROM core_queue WHERE name = $1`, mailTask))
	require.NoError(t, attempt(t, s, pgtest.One[string](t, s.pool, `SELECT id::text FROM core_notices WHERE event_id = $1`, ended)))
	got := inbox.Next()
	require.Equal(t, "A measure on your account has ended", got.Header.Get("Subject"))
	require.Equal(t, "The suspension because of \"Grüße\" has ended.\n\nIt has expired.\n\nIn force: you are suspended until 2030-01-02 03:04 UTC.\n\nRead more:\nhttps://forum.example/decisions\n", got.Text)
}

func TestMailThatCannotBeSentIsAFailureOfTheTask(t *testing.T) {
	t.Parallel()
	inbox := platformtest.NewMailServer(t)
	inbox.Refuse = "RCPT"
	server, err := mail.NewServer(inbox.URL)
	require.NoError(t, err)
	s := NewStore(pgtest.New(t), nil, server)
	err = attempt(t, s, resolved(t, s))
	require.Error(t, err)
	require.NotContains(t, err.Error(), "member@example.test")
	require.NoError(t, attempt(t, s, uuid.NewString()), "the account is gone")
}

func TestATitleCannotPassForTheTextOfTheMail(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"Grüße":                              "Grüße",
		" Hi\r\n\r\nFrom the moderators:\tx": "Hi From the moderators: x",
		"a\u2028b\u202ec\x00d":               "a b c d",
		strings.Repeat("ä", 201):             strings.Repeat("ä", 199) + "…",
		strings.Repeat("ä", 200):             strings.Repeat("ä", 200),
		"":                                   "",
	} {
		require.Equal(t, want, oneLine(title))
	}
	title, outcome := "x\n\nOutcome: pay", "upheld"
	for _, n := range []Notice{
		{Kind: ReportKind, Resolution: "duplicate"}, {Kind: DecisionKind, PolicyTitle: &title}, {Kind: AppealKind, Outcome: &outcome}, {Kind: ActionKind}, {Kind: MeasureKind, Measure: &Measure{Kind: measure.Warn}}, {Kind: MeasureKind, Measure: &Measure{Kind: measure.Warn, EndedBy: measure.EndedByExpiry}},
	} {
		n.Target.Title = title
		for _, paragraph := range NewStore(nil, nil, nil).Paragraphs(n, "en") {
			require.NotContains(t, paragraph, "\n", n.Kind)
		}
	}
}

func TestContentWithoutATitleIsNamedSo(t *testing.T) {
	t.Parallel()
	s := NewStore(nil, nil, nil)
	untitled := Notice{Kind: ReportKind, Resolution: "duplicate"}
	for _, title := range []string{"", " \u200b\n"} { // a comment has none, and erasing takes that of other content
		untitled.Target.Title = title
		require.Equal(t, `Your report on "content without a title" has been decided.`, s.Paragraphs(untitled, "en")[0])
		require.Equal(t, `تم البت في بلاغك عن «محتوى بلا عنوان».`, s.Paragraphs(untitled, "ar")[0])
	}
}

// The locale of content is what its platform says it is.
func TestTheLanguageOfALocale(t *testing.T) {
	t.Parallel()
	s := NewStore(nil, nil, nil)
	for locale, want := range map[string]string{"ar": "ar", "ar-EG": "ar", "ar_EG": "ar", "de": "en", "": "en", "-": "en", "__": "en"} {
		require.Equal(t, want, s.language(locale), locale)
	}
}
