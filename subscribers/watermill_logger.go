package subscribers

import (
	"github.com/ThreeDotsLabs/watermill"
	"github.com/rs/zerolog"
)

// logAdapter passes Watermill's log lines to zerolog, one level lower, without its debug and trace
// lines and without payloads: log lines contain ids, never what people wrote.
type logAdapter struct{ log zerolog.Logger }

func (a logAdapter) Error(msg string, err error, fields watermill.LogFields) {
	a.write(a.log.Warn().Err(err), msg, fields)
}
func (a logAdapter) Info(msg string, fields watermill.LogFields) {
	a.write(a.log.Debug(), msg, fields)
}
func (a logAdapter) Debug(string, watermill.LogFields) {}
func (a logAdapter) Trace(string, watermill.LogFields) {}

func (a logAdapter) With(fields watermill.LogFields) watermill.LoggerAdapter {
	c := a.log.With()
	for _, key := range loggedFields {
		if value, ok := fields[key]; ok {
			c = c.Interface(key, value)
		}
	}
	return logAdapter{c.Logger()}
}

var loggedFields = []string{"topic", "consumer_group", "subscriber_name", "handler_name", "message_uuid", "msg_uuid", "retry_no", "wait_time"}

func (logAdapter) write(e *zerolog.Event, msg string, fields watermill.LogFields) {
	for _, key := range loggedFields {
		if value, ok := fields[key]; ok {
			e = e.Interface(key, value)
		}
	}
	e.Msg("watermill: " + msg)
}

var _ watermill.LoggerAdapter = logAdapter{}
