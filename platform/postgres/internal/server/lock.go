package server

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// A FileLock is held on an open file; the kernel lets go of it when the process
// ends, however it ends.
type FileLock struct{ file *os.File }

// OpenLock opens the lock file, made when it is not there. It holds nothing yet.
func OpenLock(path string) (*FileLock, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock file: %w", err)
	}
	return &FileLock{file: file}, nil
}

// Exclusive waits for the lock until the context ends.
func (l *FileLock) Exclusive(ctx context.Context) error {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		held, err := l.TryExclusive()
		if err != nil || held {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for %s: %w", l.file.Name(), context.Cause(ctx))
		case <-tick.C:
		}
	}
}

// TryExclusive takes the lock if nobody else holds it in any way.
func (l *FileLock) TryExclusive() (bool, error) { return l.try(syscall.LOCK_EX) }

// TryShared takes the lock together with others, or turns an exclusive hold into
// that, which is not atomic: another lock must keep competitors out meanwhile.
func (l *FileLock) TryShared() (bool, error) { return l.try(syscall.LOCK_SH) }

func (l *FileLock) try(how int) (bool, error) {
	for {
		err := syscall.Flock(int(l.file.Fd()), how|syscall.LOCK_NB)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		default:
			return false, fmt.Errorf("lock %s: %w", l.file.Name(), err)
		}
	}
}

// Unlock lets go of the lock; it can be taken again.
func (l *FileLock) Unlock() error {
	_, err := l.try(syscall.LOCK_UN)
	return err
}

// Close lets go of the lock for good.
func (l *FileLock) Close() error { return l.file.Close() }
