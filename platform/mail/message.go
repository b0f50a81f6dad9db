package mail

import (
	"bytes"
	"fmt"
	"html/template"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"strings"
	"time"

	"github.com/docketmod/docket/domain"
)

// Message is a mail for a person, sent as plain text and as HTML.
type Message struct {
	ID         string // unique; a repeat has the same one, so that mail programs recognise it
	To         string
	Language   string // of the text, such as en or ar
	Subject    string
	Paragraphs []string // may contain line breaks
	Link       *Link    // comes last; nil if there is none
}

// In returns the letter in a language, or else in English, and the language in which it is written.
func In[T any](letters map[string]T, language string) (written string, letter T) {
	if letter, ok := letters[language]; ok {
		return language, letter
	}
	return "en", letters["en"]
}

// Link is an address to open.
type Link struct{ Label, URL string }

func (m Message) text() string {
	parts := m.Paragraphs
	if m.Link != nil {
		parts = append(parts[:len(parts):len(parts)], m.Link.Label+":\n"+m.Link.URL)
	}
	return strings.Join(parts, "\n\n") + "\n"
}

// Each paragraph has its own text direction, since members' texts may differ from the mail's.
var page = template.Must(template.New("").Parse(`<!doctype html>
<html lang="{{.Language}}" dir="{{.Direction}}"><head><meta charset="utf-8"><title>{{.Subject}}</title></head>
<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em; margin: 1em auto; padding: 0 1em">
{{range .Paragraphs}}<p dir="auto" style="white-space: pre-line">{{.}}</p>
{{end}}{{with .Link}}<p><a href="{{.URL}}" style="display: inline-block; padding: .6em 1.2em; border-radius: .4em; background: #1c4f8f; color: #fff; text-decoration: none">{{.Label}}</a></p>
<p dir="ltr" style="word-break: break-all; color: #555">{{.URL}}</p>
{{end}}</body></html>
`))

// Direction returns the direction of the language's script.
func (m Message) Direction() string {
	switch domain.Language(m.Language) {
	case "ar", "he", "fa", "ur":
		return "rtl"
	}
	return "ltr"
}

func (m Message) compose(from, to *mail.Address, now time.Time) ([]byte, error) {
	var html bytes.Buffer
	if err := page.Execute(&html, m); err != nil {
		return nil, fmt.Errorf("compose mail: %w", err)
	}
	var b bytes.Buffer
	body := multipart.NewWriter(&b)
	_, host, _ := strings.Cut(from.Address, "@")
	for _, line := range [][2]string{
		{"From", from.String()}, {"To", to.String()},
		{"Subject", mime.QEncoding.Encode("utf-8", m.Subject)},
		{"Date", now.Format(time.RFC1123Z)}, {"Message-ID", "<" + m.ID + "@" + host + ">"},
		{"Content-Language", m.Language}, {"Auto-Submitted", "auto-generated"}, {"MIME-Version", "1.0"},
		{"Content-Type", "multipart/alternative; boundary=" + body.Boundary()},
	} {
		fmt.Fprintf(&b, "%s: %s\r\n", line[0], line[1])
	}
	b.WriteString("\r\n")
	for _, part := range [][2]string{{"text/plain", m.text()}, {"text/html", html.String()}} {
		if err := writePart(body, part[0], part[1]); err != nil {
			return nil, fmt.Errorf("compose mail: %w", err)
		}
	}
	if err := body.Close(); err != nil {
		return nil, fmt.Errorf("compose mail: %w", err)
	}
	return b.Bytes(), nil
}

func writePart(body *multipart.Writer, media, content string) error {
	part, err := body.CreatePart(textproto.MIMEHeader{
		"Content-Type": {media + "; charset=utf-8"}, "Content-Transfer-Encoding": {"quoted-printable"},
	})
	if err != nil {
		return err
	}
	w := quotedprintable.NewWriter(part)
	if _, err := w.Write([]byte(content)); err != nil {
		return err
	}
	return w.Close()
}
