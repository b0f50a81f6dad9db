package eventstore

import (
	"context"
	"fmt"
	"time"
)

const (
	piece     = 200         // positions that are read at a time
	tellEvery = time.Second // how far a reader is
)

// InPieces calls do for one piece of the log after the other, from its beginning up to a position, and reports the
// progress to tell: before it begins, and at most once a second. It stops at the first error. After each piece it
// pauses for as long as that took, so that requests are not delayed. For the same reason, do must call runtime.Gosched
// after each event: a request then waits for one event and not for a piece.
func InPieces(ctx context.Context, through int64, tell func(done int64) error, do func(after, through int64) error) error {
	if err := tell(0); err != nil {
		return err
	}
	told := time.Now()
	for after := int64(0); after < through; after += piece {
		began := time.Now()
		if err := do(after, min(after+piece, through)); err != nil {
			return err
		}
		if time.Since(told) >= tellEvery {
			if err := tell(min(after+piece, through)); err != nil {
				return err
			}
			told = time.Now()
		}
		select {
		case <-time.After(time.Since(began)):
		case <-ctx.Done():
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("read the log: %w", err)
		}
	}
	return nil
}
