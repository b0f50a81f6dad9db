// Package mail sends mail by SMTP. Other modules must not import it.
package mail

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/smtp"
	"net/url"
	"time"

	"github.com/docketmod/docket/platform/queue"
)

// Timeout bounds the sending of one mail.
const Timeout = 30 * time.Second

// Server sends mail through one SMTP server. With smtps it uses TLS from the start, and with smtp as soon as the server
// offers it. It sends a password only over TLS or to this machine.
type Server struct {
	url  *url.URL
	from *mail.Address
	now  func() time.Time
}

// NewServer returns the Server of smtp://user:password@host:port or smtps://…. The sender is the URL's ?from=, or
// docket@ and the server's name. Errors do not contain the URL, since it may contain a password.
func NewServer(server string) (*Server, error) {
	u, err := url.Parse(server)
	if err != nil || u.Hostname() == "" || (u.Scheme != "smtp" && u.Scheme != "smtps") {
		return nil, errors.New("mail server: must be smtp://host:port or smtps://host:port")
	}
	if u.Port() == "" {
		u.Host = net.JoinHostPort(u.Hostname(), map[string]string{"smtp": "587", "smtps": "465"}[u.Scheme])
	}
	from := cmp.Or(u.Query().Get("from"), "docket@"+u.Hostname())
	address, err := mail.ParseAddress(from)
	if err != nil {
		return nil, fmt.Errorf("mail sender %q: %w", from, err)
	}
	return &Server{url: u, from: address, now: time.Now}, nil
}

// Send delivers a message to the server. Errors for which a retry is pointless are marked with queue.Permanent. Errors
// contain neither the recipient's address nor the server's text, which may quote the mail: see Words.
func (s *Server) Send(ctx context.Context, m Message) error {
	recipient, err := mail.ParseAddress(m.To)
	if err != nil {
		return queue.Permanent(errors.New("the account's email is not a mail address"))
	}
	content, err := m.compose(s.from, recipient, s.now())
	if err != nil {
		return err
	}
	client, err := s.dial(ctx)
	if err != nil {
		return failed("mail server", err)
	}
	defer func() { _ = client.Close() }() // Quit has closed it unless something failed
	if err := s.secure(client); err != nil {
		return failed("mail server", err)
	}
	if err := client.Mail(s.from.Address); err != nil {
		return failed("mail sender", err)
	}
	if err := client.Rcpt(recipient.Address); err != nil {
		return failed("mail recipient", err)
	}
	w, err := client.Data()
	if err != nil {
		return failed("mail data", err)
	}
	if _, err := w.Write(content); err != nil {
		return failed("mail data", err)
	}
	if err := w.Close(); err != nil {
		return failed("mail data", err)
	}
	_ = client.Quit() // the server has accepted the mail already
	return nil
}

func (s *Server) dial(ctx context.Context) (*smtp.Client, error) {
	dialer := &net.Dialer{Timeout: Timeout}
	conn, err := dialer.DialContext(ctx, "tcp", s.url.Host)
	if err != nil {
		return nil, err
	}
	deadline, ok := ctx.Deadline()
	if !ok {
		deadline = time.Now().Add(Timeout)
	}
	if err := conn.SetDeadline(deadline); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	plain := conn
	context.AfterFunc(ctx, func() { _ = plain.Close() }) // otherwise a silent server could delay a mail beyond its task, and another server would send it too
	conn = &bounded{conn, maxAnswers}
	if s.url.Scheme == "smtps" {
		conn = tls.Client(conn, s.tls())
	}
	client, err := smtp.NewClient(conn, s.url.Hostname())
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return client, nil
}

func (s *Server) secure(client *smtp.Client) error {
	if s.url.Scheme == "smtp" {
		if ok, _ := client.Extension("STARTTLS"); ok {
			if err := client.StartTLS(s.tls()); err != nil {
				return err
			}
		}
	}
	if s.url.User == nil {
		return nil
	}
	password, _ := s.url.User.Password()
	return client.Auth(smtp.PlainAuth("", s.url.User.Username(), password, s.url.Hostname()))
}

func (s *Server) tls() *tls.Config {
	return &tls.Config{ServerName: s.url.Hostname(), MinVersion: tls.VersionTLS12}
}

// Check connects and signs in as Send does without sending, and returns why mail could not be sent.
func (s *Server) Check(ctx context.Context) error {
	client, err := s.dial(ctx)
	if err != nil {
		return failed("mail server", err)
	}
	defer func() { _ = client.Close() }() // Quit has closed it unless something failed
	if err := s.secure(client); err != nil {
		return failed("mail server", err)
	}
	if err := client.Noop(); err != nil {
		return failed("mail server", err)
	}
	_ = client.Quit()
	return nil
}
