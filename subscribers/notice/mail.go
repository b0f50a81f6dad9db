package notice

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"net/smtp"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/platform/queue"
)

// mailTask is the name of the queue's task that mails one notice.
const mailTask = "notice.mail"

// mailTimeout bounds the sending of one mail.
const mailTimeout = 30 * time.Second

type mailPayload struct {
	NoticeID string `json:"noticeId"`
}

// Mail sends notices by SMTP. TLS is used from the start with smtps, and with smtp
// as soon as the server offers it; a password is sent over TLS only, but to a server
// on this machine.
type Mail struct {
	server *url.URL
	from   *mail.Address
}

// NewMail makes a Mail of `smtp://user:password@host:port` or `smtps://…` and the
// sender's address, which may stand in the URL as `?from=` instead; without either
// it is docket@ and the server's name. Errors do not repeat the URL, which may hold
// a password.
func NewMail(server, from string) (*Mail, error) {
	u, err := url.Parse(server)
	if err != nil || u.Hostname() == "" || (u.Scheme != "smtp" && u.Scheme != "smtps") {
		return nil, errors.New("mail server: want smtp://host:port or smtps://host:port")
	}
	if u.Port() == "" {
		u.Host = net.JoinHostPort(u.Hostname(), map[string]string{"smtp": "587", "smtps": "465"}[u.Scheme])
	}
	if from == "" {
		from = u.Query().Get("from")
	}
	if from == "" {
		from = "docket@" + u.Hostname()
	}
	address, err := mail.ParseAddress(from)
	if err != nil {
		return nil, fmt.Errorf("mail sender %q: %w", from, err)
	}
	return &Mail{server: u, from: address}, nil
}

// Register makes the queue send mail; without mail there is nothing to do.
func (s *Store) Register(q *queue.Queue) error {
	if s.mail == nil {
		return nil
	}
	return q.Handle(permission.CorePlugin, mailTask, queue.Handler{Run: s.deliver, Limit: mailTimeout})
}

func (s *Store) deliver(ctx context.Context, a queue.Attempt) error {
	var p mailPayload
	if err := json.Unmarshal(a.Payload, &p); err != nil {
		return queue.Permanent(fmt.Errorf("payload: %w", err))
	}
	rows, err := s.pool.Query(ctx, selectNotices+`WHERE n.id = $1`, p.NoticeID)
	if err != nil {
		return fmt.Errorf("read notice: %w", err)
	}
	n, err := pgx.CollectExactlyOneRow(rows, scan)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read notice: %w", err)
	}
	var to *string
	err = s.pool.QueryRow(ctx, `SELECT u.email FROM core_notices n JOIN core_users u ON u.id = n.user_id WHERE n.id = $1`, p.NoticeID).Scan(&to)
	if errors.Is(err, pgx.ErrNoRows) || (err == nil && to == nil) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read address: %w", err)
	}
	return s.mail.send(ctx, *to, p.NoticeID, s.now(), text(n))
}

func text(n Notice) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Your report on \"%s\" has been decided.\n\nOutcome: %s\n", n.Target.Title, outcomes[n.Resolution])
	if n.Explanation != nil {
		fmt.Fprintf(&b, "\nFrom the moderators:\n%s\n", *n.Explanation)
	}
	return b.String()
}

var outcomes = map[string]string{
	"no_violation": "the moderators found no violation.",
	"action_taken": "the moderators took action.",
	"duplicate":    "the matter had already been reported.",
}

// send delivers one mail. The message id comes from the notice, so that a repeat of
// the task is a repeat to mail programs too.
func (m *Mail) send(ctx context.Context, to, noticeID string, now time.Time, text string) error {
	recipient, err := mail.ParseAddress(to)
	if err != nil {
		return queue.Permanent(errors.New("the account's email is no mail address"))
	}
	content, err := m.compose(recipient, noticeID, now, text)
	if err != nil {
		return err
	}
	client, err := m.dial(ctx)
	if err != nil {
		return fmt.Errorf("mail server: %w", err)
	}
	defer func() { _ = client.Close() }() // after Quit it is closed already
	if err := m.secure(client); err != nil {
		return fmt.Errorf("mail server: %w", err)
	}
	if err := client.Mail(m.from.Address); err != nil {
		return fmt.Errorf("mail sender: %w", err)
	}
	if err := client.Rcpt(recipient.Address); err != nil {
		return errors.New("the mail server refused the recipient")
	}
	w, err := client.Data()
	if err != nil {
		return fmt.Errorf("mail data: %w", err)
	}
	if _, err := w.Write(content); err != nil {
		return fmt.Errorf("mail data: %w", err)
	}
	if err := w.Close(); err != nil {
		return fmt.Errorf("mail data: %w", err)
	}
	_ = client.Quit() // the server has accepted the mail whatever it says now
	return nil
}

func (m *Mail) dial(ctx context.Context) (*smtp.Client, error) {
	dialer := &net.Dialer{Timeout: mailTimeout}
	conn, err := dialer.DialContext(ctx, "tcp", m.server.Host)
	if err != nil {
		return nil, err
	}
	deadline, ok := ctx.Deadline()
	if !ok {
		deadline = time.Now().Add(mailTimeout)
	}
	if err := conn.SetDeadline(deadline); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	if m.server.Scheme == "smtps" {
		conn = tls.Client(conn, &tls.Config{ServerName: m.server.Hostname(), MinVersion: tls.VersionTLS12})
	}
	client, err := smtp.NewClient(conn, m.server.Hostname())
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return client, nil
}

func (m *Mail) secure(client *smtp.Client) error {
	if m.server.Scheme == "smtp" {
		if ok, _ := client.Extension("STARTTLS"); ok {
			if err := client.StartTLS(&tls.Config{ServerName: m.server.Hostname(), MinVersion: tls.VersionTLS12}); err != nil {
				return err
			}
		}
	}
	if m.server.User == nil {
		return nil
	}
	password, _ := m.server.User.Password()
	return client.Auth(smtp.PlainAuth("", m.server.User.Username(), password, m.server.Hostname()))
}

func (m *Mail) compose(to *mail.Address, noticeID string, now time.Time, text string) ([]byte, error) {
	_, host, _ := strings.Cut(m.from.Address, "@")
	var b strings.Builder
	for _, line := range [][2]string{
		{"From", m.from.String()}, {"To", to.String()},
		{"Subject", mime.QEncoding.Encode("utf-8", "Your report has been decided")},
		{"Date", now.Format(time.RFC1123Z)}, {"Message-ID", "<" + noticeID + "@" + host + ">"},
		{"Auto-Submitted", "auto-generated"}, {"MIME-Version", "1.0"},
		{"Content-Type", "text/plain; charset=utf-8"}, {"Content-Transfer-Encoding", "quoted-printable"},
	} {
		fmt.Fprintf(&b, "%s: %s\r\n", line[0], line[1])
	}
	b.WriteString("\r\n")
	w := quotedprintable.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		return nil, fmt.Errorf("compose mail: %w", err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("compose mail: %w", err)
	}
	return []byte(b.String()), nil
}
