package digest

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/docketmod/docket/platform/mail"
)

// Waiting is what waits for a reader.
type Waiting struct{ Unassigned, Mine, Overdue int }

// Any reports whether anything waits.
func (w Waiting) Any() bool { return w.Unassigned+w.Mine+w.Overdue > 0 }

var letters = map[string]struct{ subject, urgent, greeting, unassigned, mine, overdue, stop, label string }{
	"en": {"Reports are waiting", "Reports are overdue", "Hello %s,", "Reports that nobody works on: %d.", "Reports that you work on: %d.",
		"Reports past their deadline: %d.", "To stop this mail, open this page and press its button:\n%s", "Open the board"},
	"ar": {"بلاغات تنتظر", "بلاغات تجاوزت مهلتها", "مرحبا %s،", "بلاغات لا يعمل عليها أحد: %d.", "بلاغات تعمل عليها: %d.",
		"بلاغات تجاوزت مهلتها: %d.", "لإيقاف هذه الرسائل افتح هذه الصفحة واضغط زرها:\n%s", "افتح اللوحة"},
}

// Letter returns the mail about what waits. base is where the panel is. It names no content, since
// mail is read by others.
func Letter(r Reader, id string, w Waiting, urgent bool, base *url.URL) mail.Message {
	language := r.Language
	t, ok := letters[language]
	if !ok {
		language, t = "en", letters["en"]
	}
	m := mail.Message{ID: id, To: r.Email, Language: language, Subject: t.subject, Paragraphs: []string{fmt.Sprintf(t.greeting, r.Name)},
		Link: &mail.Link{Label: t.label, URL: base.JoinPath("modcp/reports").String()}}
	if urgent {
		m.Subject = t.urgent
	}
	var lines []string
	for _, line := range []struct {
		text string
		n    int
	}{{t.overdue, w.Overdue}, {t.unassigned, w.Unassigned}, {t.mine, w.Mine}} {
		if line.n > 0 {
			lines = append(lines, fmt.Sprintf(line.text, line.n))
		}
	}
	stop := base.JoinPath("digest")
	stop.RawQuery = url.Values{"token": {r.Stop}}.Encode()
	m.Paragraphs = append(m.Paragraphs, strings.Join(lines, "\n"), fmt.Sprintf(t.stop, stop))
	return m
}
