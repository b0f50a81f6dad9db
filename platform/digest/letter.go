package digest

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/docketmod/docket/platform/mail"
)

// Waiting counts a reader's open work.
type Waiting struct{ Unassigned, Mine, Overdue, Escalated int }

// Any reports whether there is open work.
func (w Waiting) Any() bool { return w.Unassigned+w.Mine > 0 || w.Urgent() }

// Urgent reports whether there is work that is mailed at once to readers who chose `urgent`.
func (w Waiting) Urgent() bool { return w.Overdue+w.Escalated > 0 }

var letters = map[string]struct{ subject, urgent, asked, greeting, unassigned, mine, overdue, escalated, stop, label string }{
	"en": {"Reports are waiting", "Reports are overdue", "Reports are escalated to you", "Hello %s,", "Reports that nobody works on: %d.", "Reports that you work on: %d.",
		"Reports past their deadline: %d.", "Reports that are escalated to you: %d.", "To stop this mail, open this page and press its button:\n%s", "Open the board"},
	"ar": {"بلاغات تنتظر", "بلاغات تجاوزت مهلتها", "بلاغات صُعِّدت إليك", "مرحبا %s،", "بلاغات لا يعمل عليها أحد: %d.", "بلاغات تعمل عليها: %d.",
		"بلاغات تجاوزت مهلتها: %d.", "بلاغات صُعِّدت إليك: %d.", "لإيقاف هذه الرسائل افتح هذه الصفحة واضغط زرها:\n%s", "افتح اللوحة"},
}

// Letter returns the mail about open work. base is the address of the panel. It names no content,
// since others may read the mail.
func Letter(r Reader, id string, w Waiting, urgent bool, base *url.URL) mail.Message {
	language, t := mail.In(letters, r.Language)
	m := mail.Message{ID: id, To: r.Email, Language: language, Subject: t.subject, Paragraphs: []string{fmt.Sprintf(t.greeting, r.Name)},
		Link: &mail.Link{Label: t.label, URL: base.JoinPath("modcp/reports").String()}}
	switch {
	case urgent && w.Overdue > 0:
		m.Subject = t.urgent
	case urgent:
		m.Subject = t.asked
	}
	var lines []string
	for _, line := range []struct {
		text string
		n    int
	}{{t.escalated, w.Escalated}, {t.overdue, w.Overdue}, {t.unassigned, w.Unassigned}, {t.mine, w.Mine}} {
		if line.n > 0 {
			lines = append(lines, fmt.Sprintf(line.text, line.n))
		}
	}
	stop := base.JoinPath("digest")
	stop.RawQuery = url.Values{"token": {r.Stop}}.Encode()
	m.Paragraphs = append(m.Paragraphs, strings.Join(lines, "\n"), fmt.Sprintf(t.stop, stop))
	return m
}
