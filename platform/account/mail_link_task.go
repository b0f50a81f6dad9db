package account

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/mail"
	"github.com/docketmod/docket/platform/queue"
)

// mailTask is the name of the queue's task that mails a link.
const mailTask = "account.mail"

type mailPayload struct {
	LinkID   string `json:"linkId"` // the secret is created when the mail is sent
	Language string `json:"language"`
}

// MailLinks enables the store to mail links to pages below base. It must be called before requests
// are served and the queue runs.
func (s *Store) MailLinks(q *queue.Queue, server *mail.Server, base *url.URL) error {
	s.mails = true
	return q.Handle(permission.CorePlugin, mailTask, queue.Handler{Limit: mail.Timeout, Run: queue.Decoded(func(ctx context.Context, _ queue.Attempt, p mailPayload) error {
		purpose, user, secret, err := s.renewLink(ctx, p.LinkID)
		if errors.Is(err, pgx.ErrNoRows) || err == nil && user.Email == "" {
			return nil
		}
		if err != nil {
			return fmt.Errorf("renew link: %w", err)
		}
		// Each attempt sends a new link, so it is a new mail.
		return server.Send(ctx, letter(purpose, user, p.Language, purpose.url(base, secret), uuid.NewString()))
	})})
}

func (s *Store) enqueueMail(ctx context.Context, tx pgx.Tx, linkID, language string) error {
	return queue.EnqueueTx(ctx, tx, queue.Task{
		PluginID: permission.CorePlugin, Name: mailTask, Queue: queue.Outbound, Payload: mailPayload{linkID, language},
	})
}

// letters are the mails by language and purpose. %s is the person's name.
var letters = map[string]map[purpose]struct{ subject, greeting, text, ending, label string }{
	"en": {
		purposeReset: {"Choose another password", "Hello %s,", "somebody asked to choose another password for your account. The link works once, for an hour.",
			"If it was not you, ignore this mail: nothing changes.", "Choose a password"},
		purposeInvitation: {"You are invited to Docket", "Hello %s,", "you have been given an account on Docket, to take care of reports. Choose a password to begin. The link works once, for seven days.",
			"If you did not expect this, ignore this mail.", "Accept the invitation"},
	},
	"ar": {
		purposeReset: {"اختر كلمة مرور أخرى", "مرحبا %s،", "طلب أحدهم اختيار كلمة مرور أخرى لحسابك. يعمل الرابط مرة واحدة لمدة ساعة.",
			"إذا لم تكن أنت من طلب ذلك فتجاهل هذه الرسالة: لن يتغير شيء.", "اختر كلمة مرور"},
		purposeInvitation: {"أنت مدعو إلى Docket", "مرحبا %s،", "أُنشئ لك حساب في Docket للعمل على البلاغات. اختر كلمة مرور للبدء. يعمل الرابط مرة واحدة لمدة سبعة أيام.",
			"إذا لم تكن تتوقع هذه الدعوة فتجاهل هذه الرسالة.", "اقبل الدعوة"},
	},
}

func letter(p purpose, user User, language, link, id string) mail.Message {
	language, texts := mail.In(letters, language)
	t := texts[p]
	return mail.Message{
		ID: id, To: user.Email, Language: language, Subject: t.subject,
		Paragraphs: []string{fmt.Sprintf(t.greeting, user.Name), t.text, t.ending},
		Link:       &mail.Link{Label: t.label, URL: link},
	}
}

// Languages returns the available languages of mails.
func Languages() []string { return []string{"en", "ar"} }

// testLetters are the test mails by language.
var testLetters = map[string]struct{ subject, text string }{
	"en": {"Mail from Docket arrives", "This is the test mail that you sent from Administration → System. Mail is set up."},
	"ar": {"بريد Docket يصل", "هذه هي الرسالة التجريبية التي أرسلتها من الإدارة ← النظام. البريد مُعدّ."},
}

// SendTest sends a test mail, which says that mail is set up.
func SendTest(ctx context.Context, server *mail.Server, to, language string) error {
	ctx, cancel := context.WithTimeout(ctx, mail.Timeout)
	defer cancel()
	language, letter := mail.In(testLetters, language)
	return server.Send(ctx, mail.Message{ID: uuid.NewString(), To: to, Language: language, Subject: letter.subject, Paragraphs: []string{letter.text}})
}
