package notice

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/event"
	"github.com/docketmod/docket/platform/postgres/pgtest"
	"github.com/docketmod/docket/platform/queue"
)

// mailServer speaks as much SMTP as a client needs and gives what it was sent.
func mailServer(t *testing.T, refuse string) (url string, got <-chan string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	mails := make(chan string, 10)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go converse(conn, refuse, mails)
		}
	}()
	return "smtp://" + l.Addr().String(), mails
}

func converse(conn net.Conn, refuse string, mails chan<- string) {
	defer func() { _ = conn.Close() }()
	lines := bufio.NewReader(conn)
	say := func(s string) { _, _ = io.WriteString(conn, s+"\r\n") }
	say("220 test")
	var envelope strings.Builder
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		verb := strings.ToUpper(strings.Fields(line + " x")[0])
		switch {
		case refuse != "" && verb == refuse:
			say("550 no")
		case verb == "DATA":
			say("354 go on")
			for {
				line, err := lines.ReadString('\n')
				if err != nil || line == ".\r\n" {
					break
				}
				envelope.WriteString(line)
			}
			mails <- envelope.String()
			say("250 taken")
		case verb == "QUIT":
			say("221 bye")
			return
		default:
			say("250 ok")
		}
	}
}

// resolved stores a report of a reporter with mail, resolved with a shared explanation.
func resolved(t *testing.T, s *Store) (notice string) {
	t.Helper()
	ctx, user, report, eventID := t.Context(), uuid.NewString(), uuid.NewString(), uuid.NewString()
	exec := func(sql string, args ...any) {
		_, err := s.pool.Exec(ctx, sql, args...)
		require.NoError(t, err)
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
		require.NoError(t, pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error { return s.handle(ctx, tx, e) }))
	}
	require.NoError(t, s.pool.QueryRow(ctx, `SELECT id FROM core_notices WHERE event_id = $1`, eventID).Scan(&notice))
	return notice
}

func attempt(t *testing.T, s *Store, notice string) error {
	t.Helper()
	encoded, err := json.Marshal(mailPayload{notice})
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	return s.deliver(ctx, queue.Attempt{Payload: encoded})
}

func TestANoticeIsMailed(t *testing.T) {
	t.Parallel()
	url, got := mailServer(t, "")
	m, err := NewMail(url+"?from=Docket+<docket@example.test>", "")
	require.NoError(t, err)
	s := NewStore(pgtest.New(t), nil, m)
	id := resolved(t, s)
	var tasks int
	require.NoError(t, s.pool.QueryRow(t.Context(), `SELECT count(*) FROM core_queue WHERE name = $1`, mailTask).Scan(&tasks))
	require.Equal(t, 1, tasks)
	require.NoError(t, attempt(t, s, id))

	message, err := mail.ReadMessage(strings.NewReader(<-got))
	require.NoError(t, err)
	require.Equal(t, []string{`"Docket" <docket@example.test>`, "<member@example.test>", "<" + id + "@example.test>"},
		[]string{message.Header.Get("From"), message.Header.Get("To"), message.Header.Get("Message-ID")})
	text, err := io.ReadAll(quotedprintable.NewReader(message.Body))
	require.NoError(t, err)
	require.Equal(t, "Your report on \"Grüße\" has been decided.\n\nOutcome: the moderators took action.\n\nFrom the moderators:\nIt is gone.\n",
		strings.ReplaceAll(string(text), "\r\n", "\n"))

	t.Log("words that are erased are gone from the notice too")
	_, err = s.pool.Exec(t.Context(), `UPDATE core_moderation_report_events SET evidence = NULL`)
	require.NoError(t, err)
	require.NoError(t, attempt(t, s, id))
	require.NotContains(t, <-got, "It is gone")
}

func TestMailThatCannotBeSentIsAFailureOfTheTask(t *testing.T) {
	t.Parallel()
	for _, verb := range []string{"MAIL", "RCPT"} {
		url, _ := mailServer(t, verb)
		m, err := NewMail(url, "docket@example.test")
		require.NoError(t, err)
		s := NewStore(pgtest.New(t), nil, m)
		err = attempt(t, s, resolved(t, s))
		require.Error(t, err)
		require.NotContains(t, err.Error(), "member@example.test")
	}
	gone, err := NewMail("smtp://127.0.0.1:1", "docket@example.test")
	require.NoError(t, err)
	s := NewStore(pgtest.New(t), nil, gone)
	require.Error(t, attempt(t, s, resolved(t, s)))
	require.NoError(t, attempt(t, s, uuid.NewString()), "the account is gone")
}

func TestMailSettings(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "http://x", "smtp://", "smtp://u:secret@[bad"} {
		_, err := NewMail(bad, "a@b.test")
		require.Error(t, err, bad)
		require.NotContains(t, err.Error(), "secret")
	}
	_, err := NewMail("smtp://x.test", "nobody")
	require.Error(t, err)
	m, err := NewMail("smtps://x.test", "")
	require.NoError(t, err)
	require.Equal(t, []string{"x.test:465", "docket@x.test"}, []string{m.server.Host, m.from.Address})
}
