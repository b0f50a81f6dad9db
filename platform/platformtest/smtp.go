package platformtest

import (
	"cmp"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"
)

// Mail is a message that a MailServer received.
type Mail struct {
	Recipient string // of the envelope
	Header    mail.Header
	Subject   string
	Text      string
	HTML      string
}

// MailServer is an SMTP server on loopback.
type MailServer struct {
	t      testing.TB
	URL    string
	Refuse string // the command to refuse, MAIL, RCPT or DATA; set it before the first mail
	Words  string // of a refusal, after its code
	HangUp bool   // accept each mail and close the connection instead of confirming; set it before the first mail
	raw    chan received
}

type received struct{ recipient, content string }

// NewMailServer starts a server that runs until the test ends.
func NewMailServer(t testing.TB) *MailServer {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	m := &MailServer{t: t, URL: "smtp://" + listener.Addr().String(), raw: make(chan received, 100)}
	server := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) { return &mailSession{server: m, conn: c}, nil }))
	server.Domain, server.ErrorLog = "mail.test", noLog{}
	stopped := make(chan struct{})
	go func() { _ = server.Serve(listener); close(stopped) }() // Close ends it
	t.Cleanup(func() { _ = server.Close(); <-stopped })
	return m
}

// Next waits for the next mail.
func (m *MailServer) Next() Mail {
	m.t.Helper()
	select {
	case r := <-m.raw:
		return m.parse(r)
	case <-time.After(30 * time.Second):
		require.Fail(m.t, "no mail arrived")
		return Mail{}
	}
}

// NextTo waits for the next mail to an address. It skips mails to others, which are sent
// concurrently.
func (m *MailServer) NextTo(recipient string) Mail {
	m.t.Helper()
	for {
		if next := m.Next(); next.Recipient == recipient {
			return next
		}
	}
}

// RequireNone fails the test if a mail has arrived that was not read.
func (m *MailServer) RequireNone() {
	m.t.Helper()
	require.Empty(m.t, m.raw)
}

func (m *MailServer) parse(r received) Mail {
	m.t.Helper()
	message, err := mail.ReadMessage(strings.NewReader(r.content))
	require.NoError(m.t, err)
	parsed := Mail{Recipient: r.recipient, Header: message.Header}
	parsed.Subject, err = new(mime.WordDecoder).DecodeHeader(message.Header.Get("Subject"))
	require.NoError(m.t, err)
	_, params, err := mime.ParseMediaType(message.Header.Get("Content-Type"))
	require.NoError(m.t, err)
	parts := multipart.NewReader(message.Body, params["boundary"])
	for {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			return parsed
		}
		require.NoError(m.t, err)
		content, err := io.ReadAll(quotedprintable.NewReader(part))
		require.NoError(m.t, err)
		text := strings.ReplaceAll(string(content), "\r\n", "\n")
		if strings.HasPrefix(part.Header.Get("Content-Type"), "text/html") {
			parsed.HTML = text
		} else {
			parsed.Text = text
		}
	}
}

type mailSession struct {
	server    *MailServer
	conn      *smtp.Conn
	recipient string
}

func (s *mailSession) refuse(command string) error {
	if s.server.Refuse == command {
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 7, 1}, Message: cmp.Or(s.server.Words, "refused")}
	}
	return nil
}

func (s *mailSession) Reset()                               {}
func (s *mailSession) Logout() error                        { return nil }
func (s *mailSession) Mail(string, *smtp.MailOptions) error { return s.refuse("MAIL") }
func (s *mailSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.recipient = to
	return s.refuse("RCPT")
}

func (s *mailSession) Data(r io.Reader) error {
	content, err := io.ReadAll(r)
	if refused := s.refuse("DATA"); refused != nil {
		return refused
	}
	s.server.raw <- received{s.recipient, string(content)}
	if s.server.HangUp {
		return s.conn.Close()
	}
	return err
}

type noLog struct{}

func (noLog) Printf(string, ...any) {}
func (noLog) Println(...any)        {}
