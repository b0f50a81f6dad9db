package account

import (
	"context"

	"github.com/google/uuid"

	"github.com/docketmod/docket/platform/mail"
)

// testLetters are by language, as letters are.
var testLetters = map[string]struct{ subject, text string }{
	"en": {"Mail from Docket arrives", "This is the test mail that you sent from Administration → System. Mail is set up."},
	"ar": {"بريد Docket يصل", "هذه هي الرسالة التجريبية التي أرسلتها من الإدارة ← النظام. البريد مُعدّ."},
}

// SendTest sends a mail that says that mail is set up.
func SendTest(ctx context.Context, server *mail.Server, to, language string) error {
	ctx, cancel := context.WithTimeout(ctx, mail.Timeout)
	defer cancel()
	letter, ok := testLetters[language]
	if !ok {
		language, letter = "en", testLetters["en"]
	}
	return server.Send(ctx, mail.Message{ID: uuid.NewString(), To: to, Language: language, Subject: letter.subject, Paragraphs: []string{letter.text}})
}
