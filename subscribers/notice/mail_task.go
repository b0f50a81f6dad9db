package notice

import (
	"context"
	"encoding/json"
	"strings"
	"unicode"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/richtext"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/platform/mail"
	"github.com/docketmod/docket/platform/queue"
)

// mailTask is the name of the queue's task that mails one notice.
const mailTask = "notice.mail"

type mailPayload struct {
	NoticeID string `json:"noticeId"`
}

// Register registers the task that mails notices. Without a mail server it does nothing.
func (s *Store) Register(q *queue.Queue) error {
	if s.mail == nil {
		return nil
	}
	return q.Handle(permission.CorePlugin, mailTask, queue.Handler{Run: queue.Decoded(s.deliver), Limit: mail.Timeout})
}

func (s *Store) deliver(ctx context.Context, _ queue.Attempt, p mailPayload) error {
	n, err := postgres.CollectFirst(ctx, s.pool, "read notice", scan, selectNotices+`WHERE n.id = $1`, p.NoticeID)
	if err != nil || n == nil {
		return err
	}
	to, err := postgres.CollectFirst(ctx, s.pool, "read address", pgx.RowTo[string],
		`SELECT u.email FROM core_notices n JOIN core_users u ON u.id = n.user_id WHERE n.id = $1 AND u.email IS NOT NULL`, p.NoticeID)
	if err != nil || to == nil {
		return err
	}
	return s.mail.Send(ctx, mail.Message{
		ID: p.NoticeID, To: *to, Language: s.language(n.Locale), Subject: s.Subject(*n, n.Locale), Paragraphs: s.Paragraphs(*n, n.Locale),
		Link: s.link(*n),
	})
}

// link returns the page for a notice: a report for a moderator, a decision for a member, or the
// member's decisions if a measure has ended, since its decision may no longer be there.
func (s *Store) link(n Notice) *mail.Link {
	if s.BaseURL == nil {
		return nil
	}
	page := []string{"decisions", n.ReportID}
	switch {
	case n.Kind == ActionKind:
		page[0] = "modcp/reports"
	case n.Measure != nil && n.Measure.ended():
		page = page[:1]
	}
	return &mail.Link{Label: s.text(s.language(n.Locale), "notice.link"), URL: s.BaseURL.JoinPath(page...).String()}
}

// maxTitle bounds a title in mail, in characters.
const maxTitle = 200

// oneLine returns a title on one line with at most maxTitle characters, so that its author cannot
// imitate the text of the mail.
func oneLine(title string) string {
	title = strings.Join(strings.FieldsFunc(title, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
	if letters := []rune(title); len(letters) > maxTitle {
		title = string(letters[:maxTitle-1]) + "…"
	}
	return title
}

// plain returns the text of reasons, which are a JSON string or a rich-text document.
func plain(reasons json.RawMessage) string {
	var text string
	if len(reasons) == 0 || json.Unmarshal(reasons, &text) == nil {
		return text
	}
	doc, _ := richtext.Sanitize(reasons) // what it cannot parse is left out
	return doc.PlainText()
}
