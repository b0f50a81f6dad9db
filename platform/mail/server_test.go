package mail_test

import (
	"testing"

	"github.com/stretchr/testify/require"

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
	for _, command := range []string{"MAIL", "RCPT"} {
		inbox := platformtest.NewMailServer(t)
		inbox.Refuse = command
		server, err := mail.NewServer(inbox.URL)
		require.NoError(t, err)
		err = server.Send(t.Context(), mail.Message{ID: "m1", To: "ada@example.test"})
		require.Error(t, err)
		require.NotContains(t, err.Error(), "ada@example.test")
		inbox.RequireNone()
	}
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
