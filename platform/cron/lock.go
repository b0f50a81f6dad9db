package cron

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// The bounds of the session that holds the locks.
const (
	statementLimit = 5 * time.Second        // of each statement on it
	watchInterval  = 5 * time.Second        // how soon its loss is noticed
	retryInterval  = 250 * time.Millisecond // how soon another server's release is
)

// locks holds session advisory locks, all of one server on one connection of
// their own: a pool could run dry with a connection for each run. The
// connection is open while there is something to hold.
type locks struct {
	config   *pgx.ConnConfig
	interval time.Duration // of the watch

	mu       sync.Mutex
	held     map[string]*held // by name, on whatever session
	session  *session         // nil when there is none, or the last is broken
	released chan struct{}    // closed, and made anew, with each release
}

// held is one lock.
type held struct {
	name    string
	session *session
	lost    func() // called once when the session breaks, lock and all
}

// session is a connection with locks. mu guards the connection: a statement at a time.
type session struct {
	mu     sync.Mutex
	conn   *pgx.Conn
	broken bool
	holds  int // guarded by locks.mu
	done   chan struct{}
}

func newLocks(config *pgx.ConnConfig) *locks {
	return &locks{config: config.Copy(), interval: watchInterval, held: make(map[string]*held), released: make(chan struct{})}
}

// acquire takes the lock of that name, waiting at most so long for it; then the
// error is errBusy. lost is called when the lock is lost before its release.
func (l *locks) acquire(ctx context.Context, name string, wait time.Duration, lost func()) (*held, error) {
	deadline := time.Now().Add(wait)
	for {
		h, released, err := l.try(ctx, name, lost)
		if h != nil || err != nil {
			return h, err
		}
		remaining := time.Until(deadline)
		if remaining <= 0 {
			return nil, errBusy
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

// try returns neither lock nor error when somebody else has the lock. Those of
// several jobs wait for one another here, with a silent database for statementLimit
// each; from the end of ctx on, for the one statement that is on its way.
func (l *locks) try(ctx context.Context, name string, lost func()) (*held, <-chan struct{}, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	// A session lock is re-entrant, so that the server's own runs are told apart here.
	if l.held[name] != nil {
		return nil, l.released, nil
	}
	s, err := l.open(ctx)
	if err != nil {
		return nil, nil, err
	}
	var locked bool
	err = s.queryRow(ctx, "SELECT pg_try_advisory_lock(hashtextextended($1, 0))", []any{name}, &locked)
	if err != nil || !locked {
		l.dropIfBroken(s)
		l.closeIfIdle(s)
		return nil, l.released, err
	}
	h := &held{name: name, session: s, lost: sync.OnceFunc(lost)}
	l.held[name] = h
	s.holds++
	return h, nil, nil
}

func (l *locks) open(ctx context.Context) (*session, error) {
	if l.session != nil {
		return l.session, nil
	}
	ctx, cancel := context.WithTimeout(ctx, statementLimit)
	defer cancel()
	conn, err := pgx.ConnectConfig(ctx, l.config)
	if err != nil {
		return nil, fmt.Errorf("connect for locks: %w", err)
	}
	// The locks of a machine that vanished are free after half a minute.
	_, err = conn.Exec(ctx, "SET tcp_keepalives_idle = 15; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3")
	if err != nil {
		_ = conn.Close(ctx)
		return nil, fmt.Errorf("connect for locks: %w", err)
	}
	l.session = &session{conn: conn, done: make(chan struct{})}
	go l.watch(l.session)
	return l.session, nil
}

// watch tells the holders when the session breaks; it ends with the session.
func (l *locks) watch(s *session) {
	ticker := time.NewTicker(l.interval)
	defer ticker.Stop()
	for {
		select {
		case <-s.done:
			return
		case <-ticker.C:
		}
		var one int
		if err := s.queryRow(context.Background(), "SELECT 1", nil, &one); err != nil {
			l.mu.Lock()
			l.dropIfBroken(s)
			l.mu.Unlock()
		}
	}
}

// dropIfBroken, called with l.mu held, tells the holders and leaves the session
// to their releases; the next lock opens another.
func (l *locks) dropIfBroken(s *session) {
	s.mu.Lock()
	broken := s.broken
	s.mu.Unlock()
	if !broken {
		return
	}
	if l.session == s {
		l.session = nil
	}
	for _, h := range l.held {
		if h.session == s {
			h.lost()
		}
	}
}

// release frees the lock. With the last one the connection closes.
func (l *locks) release(h *held) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var unlocked bool
	// A session that is broken has freed the lock already.
	_ = h.queryRow(context.Background(), "SELECT pg_advisory_unlock(hashtextextended($1, 0))", []any{h.name}, &unlocked)
	delete(l.held, h.name)
	l.dropIfBroken(h.session)
	h.session.holds--
	l.closeIfIdle(h.session)
	close(l.released)
	l.released = make(chan struct{})
}

// closeIfIdle is called with l.mu held.
func (l *locks) closeIfIdle(s *session) {
	if s.holds > 0 {
		return
	}
	if l.session == s {
		l.session = nil
	}
	close(s.done)
	s.mu.Lock()
	defer s.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), statementLimit)
	defer cancel()
	_ = s.conn.Close(ctx)
}

// queryRow runs a statement on the connection that holds the lock, and so
// fails when the lock is gone.
func (h *held) queryRow(ctx context.Context, sql string, args []any, into any) error {
	return h.session.queryRow(ctx, sql, args, into)
}

// queryRow is not cut short by ctx, since that would close the connection and
// free every lock on it.
func (s *session) queryRow(ctx context.Context, sql string, args []any, into any) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), statementLimit)
	defer cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken {
		return errLockLost
	}
	err := s.conn.QueryRow(ctx, sql, args...).Scan(into)
	if s.conn.IsClosed() {
		s.broken = true
		return fmt.Errorf("%w: %w", errLockLost, err)
	}
	return err
}
