// Package sessionlock holds PostgreSQL's session advisory locks for work that outlasts any transaction. All locks of a
// server share one connection outside of the pool, so that locks cannot use up the pool. Other modules must not import
// it.
package sessionlock

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// StatementLimit bounds each statement on the locks' connection.
const StatementLimit = 5 * time.Second

const (
	watchInterval = 5 * time.Second        // how soon the loss of the connection is noticed
	retryInterval = 250 * time.Millisecond // how soon another server's release is noticed
)

var (
	// ErrTaken means that somebody else holds the lock.
	ErrTaken = errors.New("somebody else holds the lock")
	// ErrLost means that the connection broke, and the lock with it.
	ErrLost = errors.New("the lock was lost with its connection")
)

// Locks are the locks of one server. It is safe for concurrent use. Its connection is
// open only while a lock is held or waited for.
type Locks struct {
	config *pgx.ConnConfig
	watch  time.Duration

	mu       sync.Mutex
	held     map[string]*Lock // by name, on any session
	session  *session         // nil when there is none, or the last one is broken
	released chan struct{}    // closed and replaced with each release
}

// New makes Locks that connect as the configuration says.
func New(config *pgx.ConnConfig) *Locks {
	return &Locks{config: config.Copy(), watch: watchInterval, held: make(map[string]*Lock), released: make(chan struct{})}
}

// WatchEvery sets how soon the loss of the connection is noticed, five seconds by
// default. It must be called before the first Acquire.
func (l *Locks) WatchEvery(d time.Duration) { l.watch = d }

// Lock is a lock that is held until Release.
type Lock struct {
	locks   *Locks
	name    string
	session *session
	lost    func() // called once when the session breaks
}

// Acquire takes the lock of a name. It returns ErrTaken if it did not get the lock within wait.
// lost is called if the lock is lost before its release; it must not block.
func (l *Locks) Acquire(ctx context.Context, name string, wait time.Duration, lost func()) (*Lock, error) {
	deadline := time.Now().Add(wait)
	var waiting *session // kept open between two attempts
	defer func() { l.leave(waiting) }()
	for {
		lock, s, released, err := l.try(ctx, name, lost)
		l.leave(waiting)
		waiting = s
		if lock != nil || err != nil {
			return lock, err
		}
		remaining := time.Until(deadline)
		if remaining <= 0 {
			return nil, ErrTaken
		}
		timer := time.NewTimer(min(remaining, retryInterval))
		select {
		case <-released:
		case <-timer.C:
		case <-ctx.Done():
		}
		timer.Stop()
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
}

// try returns a lock or an error. While somebody else holds the lock it returns neither, but a
// channel that is closed at this server's next release, and the session that the caller must leave.
// Concurrent calls run one after the other; if the database does not answer, each takes
// StatementLimit.
func (l *Locks) try(ctx context.Context, name string, lost func()) (*Lock, *session, <-chan struct{}, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if ctx.Err() != nil {
		return nil, nil, nil, context.Cause(ctx)
	}
	// A session lock is re-entrant, so the database does not exclude holders on this server.
	if l.held[name] != nil {
		return nil, nil, l.released, nil
	}
	s, err := l.open(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	s.users++
	var locked bool
	err = s.queryRow(ctx, "SELECT pg_try_advisory_lock(hashtextextended($1, 0))", []any{name}, &locked)
	if err != nil {
		l.dropIfBroken(s)
		l.leaveLocked(s)
		return nil, nil, nil, err
	}
	if !locked {
		return nil, s, l.released, nil
	}
	lock := &Lock{locks: l, name: name, session: s, lost: sync.OnceFunc(lost)}
	l.held[name] = lock
	return lock, nil, nil, nil
}

// Release frees the lock. It closes the connection if nobody else uses it.
func (k *Lock) Release() {
	l := k.locks
	l.mu.Lock()
	defer l.mu.Unlock()
	var unlocked bool
	// A broken session has already released the lock.
	_ = k.QueryRow(context.Background(), "SELECT pg_advisory_unlock(hashtextextended($1, 0))", []any{k.name}, &unlocked)
	delete(l.held, k.name)
	l.dropIfBroken(k.session)
	l.leaveLocked(k.session)
	close(l.released)
	l.released = make(chan struct{})
}

// QueryRow runs a statement on the connection that holds the lock, so it fails with
// ErrLost once the lock is lost. It ignores the end of ctx.
func (k *Lock) QueryRow(ctx context.Context, sql string, args []any, into ...any) error {
	return k.session.queryRow(ctx, sql, args, into...)
}

func (l *Locks) leave(s *session) {
	if s == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.leaveLocked(s)
}

// leaveLocked closes a session that nobody uses any more. l.mu must be held.
func (l *Locks) leaveLocked(s *session) {
	if s.users--; s.users > 0 {
		return
	}
	if l.session == s {
		l.session = nil
	}
	s.close()
}

// dropIfBroken notifies the holders that their locks are lost if the session is broken. They
// must still release them. The next lock opens another session. l.mu must be held.
func (l *Locks) dropIfBroken(s *session) {
	if !s.isBroken() {
		return
	}
	if l.session == s {
		l.session = nil
	}
	for _, k := range l.held {
		if k.session == s {
			k.lost()
		}
	}
}
