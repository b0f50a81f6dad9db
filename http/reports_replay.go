package http

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"runtime"
	"strconv"
	"sync"
	"time"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
)

// Replay has the routes that show a report as it stood at an earlier moment.
type Replay struct {
	Moderation *moderation.Service
	// Events calls each with a report's events, oldest first, without the texts of notes.
	Events func(ctx context.Context, reportID string, each func(report.Event)) error
	// Texts calls each with a report's note events in the order of the sequences.
	Texts func(ctx context.Context, reportID string, sequences []int, each func(report.Event) error) error
	// Names returns the names of the accounts that still exist.
	Names func(ctx context.Context, ids []string) (map[string]string, error)

	once  sync.Once
	turns chan struct{} // holds a value for each replay under way
}

// replayLimit is how long a replay may take, since a slow client keeps others waiting.
const replayLimit = 30 * time.Second

// replaysAtOnce is how many replays run at once on this server, each of which may read 64 MB of
// notes. They leave half of the processors to other requests.
func replaysAtOnce() int { return max(1, runtime.GOMAXPROCS(0)/2) }

// longestPause bounds the pause after a replay, whose duration depends on the client.
const longestPause = time.Second

// begin waits until the replay may run. end must be called. The slot then stays unused for twice the time of the
// replay, at most longestPause, so that successive replays do not slow other requests down.
func (a *Replay) begin(ctx context.Context) (end func(), err error) {
	a.once.Do(func() { a.turns = make(chan struct{}, replaysAtOnce()) })
	select {
	case a.turns <- struct{}{}:
		start := time.Now()
		return func() {
			time.AfterFunc(min(2*time.Since(start), longestPause), func() { <-a.turns })
		}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (a *Replay) routes() []route {
	return []route{{http.MethodGet, "/moderation/reports/{id}/replay", auditor, byID(a.replay)}}
}

func (a *Replay) replay(w http.ResponseWriter, r *http.Request, id string) error {
	caller := callerOf(r)
	audits := moderation.MayAudit(caller)
	if audits {
		if err := a.Moderation.Seen(r.Context(), caller, id); err != nil {
			return err
		}
	} else {
		if _, err := a.Moderation.Authorize(r.Context(), caller, id, ""); err != nil {
			return err
		}
	}
	moment, err := momentOf(r)
	if err != nil {
		return err
	}
	end, err := a.begin(r.Context())
	if err != nil {
		return err
	}
	defer end()
	ctx, cancel := context.WithTimeout(r.Context(), replayLimit)
	defer cancel()
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(replayLimit)) // a recorder in a test has none
	replay := moderation.NewReplay(moment, audits)
	if err := a.Events(ctx, id, replay.Add); err != nil {
		return err
	}
	names, err := a.Names(ctx, replay.Accounts())
	if err != nil {
		return err
	}
	replayed, err := replay.Report(names)
	if err != nil {
		return err
	}
	out := &replayWriter{w: w, report: replayed}
	err = replay.EachNote(names, func(sequences []int, each func(report.Event) error) error {
		return a.Texts(ctx, id, sequences, each)
	}, out.note)
	if err == nil {
		err = out.end()
	}
	return err
}

// replayWriter writes a replayed report and its notes one by one.
type replayWriter struct {
	w      http.ResponseWriter
	report moderation.ReplayedReport
	begun  bool
}

func (o *replayWriter) begin() error {
	head, err := json.Marshal(o.report)
	if err != nil {
		return fmt.Errorf("encode the answer: %w", err)
	}
	o.begun = true
	o.w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, err = o.w.Write(append(head[:len(head)-1], `,"notes":[`...))
	return err
}

func (o *replayWriter) note(n moderation.ReplayedNote) error {
	encoded, err := json.Marshal(n)
	if err != nil {
		return fmt.Errorf("encode the answer: %w", err)
	}
	if !o.begun {
		if err := o.begin(); err != nil {
			return err
		}
	} else {
		encoded = append([]byte(","), encoded...)
	}
	_, err = o.w.Write(encoded)
	return err
}

func (o *replayWriter) end() error {
	if !o.begun {
		if err := o.begin(); err != nil {
			return err
		}
	}
	_, err := o.w.Write([]byte("]}"))
	return err
}

// momentOf reads `sequence` or `at`. Both together are a fault.
func momentOf(r *http.Request) (moderation.Moment, error) {
	var m moderation.Moment
	q := readQuery(r)
	if q.Has("sequence") {
		n, err := strconv.Atoi(q.text("sequence"))
		if err != nil || n < 1 {
			q.fault("sequence", "invalid", "Must be a whole number of at least 1.")
		}
		m.Sequence = n
	}
	if q.Has("at") {
		at, ok := parseTime(q.text("at"))
		if !ok {
			q.fault("at", "invalid", "Must be an RFC 3339 time.")
		}
		m.At = &at
		if q.Has("sequence") {
			q.fault("at", "exclusive", "Give sequence or at, not both.")
		}
	}
	return m, q.Err()
}
