package sessionlock

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// session is the connection that holds locks. It runs one statement at a time.
type session struct {
	users int // held locks and waiting callers; guarded by Locks.mu
	done  chan struct{}

	mu     sync.Mutex
	conn   *pgx.Conn
	broken bool
}

// open returns the session and opens it if there is none. l.mu must be held.
func (l *Locks) open(ctx context.Context) (*session, error) {
	if l.session != nil {
		return l.session, nil
	}
	ctx, cancel := context.WithTimeout(ctx, StatementLimit)
	defer cancel()
	conn, err := pgx.ConnectConfig(ctx, l.config)
	if err != nil {
		return nil, fmt.Errorf("connect for locks: %w", err)
	}
	// With these, the server frees the locks of a vanished machine after half a minute.
	_, err = conn.Exec(ctx, "SET tcp_keepalives_idle = 15; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3")
	if err != nil {
		_ = conn.Close(ctx)
		return nil, fmt.Errorf("connect for locks: %w", err)
	}
	l.session = &session{conn: conn, done: make(chan struct{})}
	go l.watchOver(l.session)
	return l.session, nil
}

// watchOver notifies the lock holders when the session breaks. It ends with the session.
func (l *Locks) watchOver(s *session) {
	ticker := time.NewTicker(l.watch)
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

// queryRow ignores the end of ctx, since canceling a statement would close the connection and
// release every lock on it.
func (s *session) queryRow(ctx context.Context, sql string, args []any, into ...any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	// The limit begins here: a statement that had used up its limit waiting for others, such as the
	// release of a lock, would not run at all.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), StatementLimit)
	defer cancel()
	if s.broken {
		return ErrLost
	}
	err := s.conn.QueryRow(ctx, sql, args...).Scan(into...)
	if s.conn.IsClosed() {
		s.broken = true
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
	return err
}

func (s *session) isBroken() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.broken
}

func (s *session) close() {
	close(s.done)
	s.mu.Lock()
	defer s.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), StatementLimit)
	defer cancel()
	_ = s.conn.Close(ctx)
}
