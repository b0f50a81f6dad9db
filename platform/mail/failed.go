package mail

import (
	"errors"
	"fmt"
	"net"
	"net/textproto"
	"regexp"
)

// failedError is why a mail could not be sent. Its text has only the codes of the server's response, since it is stored
// with the task. It hides its cause from errors.As, so that a lost connection to the mail server is not taken for one
// to the database.
type failedError struct {
	doing  string
	answer string // the codes, or what went wrong without a response
	words  string // the whole response
}

func (e *failedError) Error() string { return e.doing + ": " + e.answer }

// enhancedCode matches the code that precedes a server's text (RFC 3463).
var enhancedCode = regexp.MustCompile(`^[245]\.\d{1,3}\.\d{1,3}\b`)

func failed(doing string, err error) error {
	var answer *textproto.Error
	if odd, ok := errors.AsType[textproto.ProtocolError](err); ok { // it quotes the answer
		return &failedError{doing, "the server's answer is not SMTP", odd.Error()}
	}
	if !errors.As(err, &answer) {
		return &failedError{doing, err.Error(), err.Error()}
	}
	codes := fmt.Sprintf("the server answered %d", answer.Code)
	if enhanced := enhancedCode.FindString(answer.Msg); enhanced != "" {
		codes += " " + enhanced
	}
	return &failedError{doing, codes, answer.Error()}
}

// Words returns the error of Send or Check with the server's text, for the operator who configures it.
func Words(err error) string {
	if f, ok := errors.AsType[*failedError](err); ok {
		return f.doing + ": " + f.words
	}
	return err.Error()
}

// maxAnswers bounds a server's responses to one mail, in bytes.
const maxAnswers = 256 << 10

// bounded is a connection that fails after so many bytes were read: package smtp buffers whole responses of any length.
type bounded struct {
	net.Conn
	left int
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errors.New("the server says more than mail needs")
	}
	n, err := b.Conn.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}
