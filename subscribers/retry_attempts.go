package subscribers

import (
	"time"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/message/router/middleware"
	"github.com/cenkalti/backoff/v5"
)

// The retries of an event before it becomes a dead letter, over about two seconds.
const (
	defaultRetries       = 4
	defaultRetryInterval = 50 * time.Millisecond
)

// retry retries a message with exponential backoff.
func (c Config) retry(next message.HandlerFunc) message.HandlerFunc {
	// Its ShouldRetry is not used, since with it each pause is nine times the one before.
	return middleware.Retry{
		MaxRetries: c.Retries, InitialInterval: c.RetryInterval, Multiplier: 3,
		MaxInterval: time.Minute, RandomizationFactor: 0.2, ResetContextOnRetry: true,
	}.Middleware(next)
}

// onlyFailures prevents retries of what isFailure does not count, such as the end of a batch.
func onlyFailures(next message.HandlerFunc) message.HandlerFunc {
	return func(msg *message.Message) ([]*message.Message, error) {
		out, err := next(msg)
		if err != nil && !isFailure(err) {
			err = backoff.Permanent(err)
		}
		return out, err
	}
}
