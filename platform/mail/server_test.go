package mail_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/platform/mail"
	"github.com/docketmod/docket/platform/platformtest"
)

func TestAMessageArrivesAsTextAndHTML(t *testing.T) {
	t.Parallel()
	inbox := platformtest.NewMailServer(t)
	server, err := mail.NewServer(inbox.URL + "?from=Docket+<docket@example.test>")
	require.NoError(t, err)
	require.NoError(t, server.Send(t.Context(), mail.Message{
		ID: "m1", To: "ada@example.test", Language: "ar", Subject: "مرحبا\r\nBcc: eve@example.test",
		Paragraphs: []string{"أهلا", "<b>first</b>\nsecond\n.\nthird"},
		Link:       &mail.Link{Label: "افتح", URL: "https://docket.example.test/reset?token=a&b=c"},
	}))

	got := inbox.Next()
	require.Equal(t, "ada@example.test", got.Recipient)
	require.Equal(t, `"Docket" <docket@example.test>`, got.Header.Get("From"))
	require.Equal(t, "<m1@example.test>", got.Header.Get("Message-ID"))
	require.Empty(t, got.Header.Get("Bcc"), "a line break in the subject makes no header")
	require.Contains(t, got.Subject, "مرحبا")
	require.Equal(t, "أهلا\n\n<b>first</b>\nsecond\n.\nthird\n\nافتح:\nhttps://docket.example.test/reset?token=a&b=c\n", got.Text)
	require.Contains(t, got.HTML, `<html lang="ar" dir="rtl">`)
	require.Contains(t, got.HTML, "&lt;b&gt;first&lt;/b&gt;\nsecond")
	require.Contains(t, got.HTML, `href="https://docket.example.test/reset?token=a&amp;b=c"`)
}

func TestMailThatCannotBeSent(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"MAIL", "RCPT", "DATA"} {
		inbox := platformtest.NewMailServer(t)
		inbox.Refuse, inbox.Words = command, "Ada <ada@example.test> may not read https://docket.test/reset?token=secret"
		server, err := mail.NewServer(inbox.URL)
		require.NoError(t, err)
		err = server.Send(t.Context(), mail.Message{ID: "m1", To: "ada@example.test"})
		require.ErrorContains(t, err, "550 5.7.1")
		require.NotContains(t, err.Error(), "may not read", "the task keeps the error")
		require.Contains(t, mail.Words(err), inbox.Words)
		inbox.RequireNone()
	}
	odd, err := mail.NewServer("smtp://" + says(t, func(conn net.Conn) { _, _ = io.WriteString(conn, "ada@example.test? No.\r\n") }))
	require.NoError(t, err)
	err = odd.Send(t.Context(), mail.Message{ID: "m1", To: "ada@example.test"})
	require.EqualError(t, err, "mail server: the server's answer is not SMTP")
	require.Contains(t, mail.Words(err), "ada@example.test? No.")
	gone, err := mail.NewServer("smtp://127.0.0.1:1")
	require.NoError(t, err)
	require.Error(t, gone.Send(t.Context(), mail.Message{ID: "m1", To: "ada@example.test"}))
}

func TestServerSettings(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "http://x", "smtp://", "smtp://u:secret@[bad", "smtp://x.test?from=nobody"} {
		_, err := mail.NewServer(bad)
		require.Error(t, err, bad)
		require.NotContains(t, err.Error(), "secret")
	}
	for _, good := range []string{"smtps://x.test", "smtp://u:p@x.test:25"} {
		_, err := mail.NewServer(good)
		require.NoError(t, err)
	}
}

// Given a mail server that hangs up, also after it took the mail, then that is not taken for the database's.
func TestALostMailServerIsNotALostDatabase(t *testing.T) {
	t.Parallel()
	for _, answers := range []string{"", "220 mail.test\r\n", "220 mail.test\r\n250 mail.test\r\n250 ok\r\n250 ok\r\n354 go\r\n"} {
		server, err := mail.NewServer("smtp://" + says(t, func(conn net.Conn) {
			if _, _ = io.WriteString(conn, answers); answers != "" {
				_, _ = conn.Read(make([]byte, 1))
			}
		}))
		require.NoError(t, err)
		err = server.Send(t.Context(), mail.Message{ID: "m1", To: "ada@example.test"})
		require.Error(t, err)
		require.False(t, postgres.Lost(err), err)
	}
}

func TestSendingEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	began := time.Now()
	server, err := mail.NewServer("smtp://" + says(t, func(conn net.Conn) {
		_, _ = io.WriteString(conn, "220 mail.test\r\n")
		commands := bufio.NewReader(conn)
		_, _ = commands.ReadString('\n')
		cancel()
		_, _ = commands.ReadByte() // it says nothing more
	}))
	require.NoError(t, err)
	require.Error(t, server.Send(ctx, mail.Message{ID: "m1", To: "ada@example.test"}))
	require.Less(t, time.Since(began), mail.Timeout/2)
}

func TestAMailServerThatNeverEndsItsAnswerIsNotReadForEver(t *testing.T) {
	t.Parallel()
	for _, forever := range []string{"220-and\r\n", "and"} {
		server, err := mail.NewServer("smtp://" + says(t, func(conn net.Conn) {
			for err := error(nil); err == nil; {
				_, err = io.WriteString(conn, forever)
			}
		}))
		require.NoError(t, err)
		require.ErrorContains(t, server.Check(t.Context()), "more than mail needs")
	}
}

// says returns the address of a server that sends each client something, and hangs up.
func says(t *testing.T, something func(net.Conn)) string {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for conn, err := listener.Accept(); err == nil; conn, err = listener.Accept() {
			something(conn)
			_ = conn.Close()
		}
	}()
	return listener.Addr().String()
}
