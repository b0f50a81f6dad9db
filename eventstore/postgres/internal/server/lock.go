package server

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
)

// A FileLock is a lock on an open file. The kernel releases it when the process ends.
type FileLock struct{ file *os.File }

// OpenLock opens the lock file and creates it if missing. It does not lock yet.
func OpenLock(path string) (*FileLock, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock file: %w", err)
	}
	return &FileLock{file: file}, nil
}

// Exclusive takes the lock. It waits until ctx ends.
func (l *FileLock) Exclusive(ctx context.Context) error {
	if err := poll(ctx, l.TryExclusive); err != nil {
		return fmt.Errorf("wait for %s: %w", l.file.Name(), err)
	}
	return nil
}

// TryExclusive takes the lock if nobody holds it in either mode.
func (l *FileLock) TryExclusive() (bool, error) { return l.try(syscall.LOCK_EX) }

// TryShared takes the lock in shared mode, or converts an exclusive lock. The conversion is not
// atomic: another lock must exclude competitors meanwhile.
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

// Unlock releases the lock, which can be taken again.
func (l *FileLock) Unlock() error {
	_, err := l.try(syscall.LOCK_UN)
	return err
}

// Close releases the lock and closes the file.
func (l *FileLock) Close() error { return l.file.Close() }
