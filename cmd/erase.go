package cmd

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/projections"
)

// eraseCommand has pointers: an empty id, as from an unset variable of a script, is an error and
// not a missing id.
type eraseCommand struct {
	Report    *string        `help:"All words of this report." placeholder:"ID" xor:"what" required:""`
	User      *string        `help:"Everything that this account wrote in reports: those that it filed, notes, explanations and reasons." placeholder:"ID" xor:"what" required:""`
	OlderThan *time.Duration `help:"All words of reports that were resolved longer ago and are done, such as 8760h." placeholder:"DURATION" xor:"what" required:""`
	Authored  bool           `help:"With --user: also the snapshots of content that this account wrote."`
}

// Run erases evidence and keeps the proof. It can be stopped and run again. It skips what is under a legal hold, and
// then fails at the end.
func (c *eraseCommand) Run(ctx context.Context, a *app) error {
	for _, id := range []*string{c.Report, c.User} {
		if id != nil {
			var err error
			if *id, err = parseID("an id", *id); err != nil {
				return err
			}
		}
	}
	switch {
	case c.OlderThan != nil && *c.OlderThan < 0:
		return usageError{errors.New("--older-than cannot be negative")}
	case c.Authored && c.User == nil:
		return usageError{errors.New("--authored needs --user")}
	}
	return a.withMigrated(ctx, func(db *Database) error {
		signer, err := db.cfg.signer()
		if err != nil {
			return err
		}
		store := eventstore.New(db.Pool, projections.Inline{}, nil, signer, time.Now, func() {})
		done, err := c.erase(ctx, store, a.progress("erasing"))
		fmt.Fprintf(a.stdout, "erased the words of %s in %s\n", counted(done.Events, "event"), counted(done.Reports, "report"))
		if err != nil || len(done.Held) == 0 {
			return err
		}
		for _, id := range done.Held {
			fmt.Fprintf(a.stdout, "left report %s\n", id)
		}
		return domain.Errorf(domain.CodeHeld, "left the words of %s, held by legal holds", counted(len(done.Held), "report"))
	})
}

func (c *eraseCommand) erase(ctx context.Context, store *eventstore.Store, p *progress) (eventstore.Erasure, error) {
	defer p.done()
	tell := func(e eventstore.Erasure) { p.set(int64(e.Reports), 0) }
	switch {
	case c.Report != nil:
		n, err := store.Erase(ctx, *c.Report, nil, report.EveryWord)
		return eventstore.Erasure{Reports: min(n, 1), Events: n}, err
	case c.User != nil:
		return store.EraseWrittenBy(ctx, *c.User, c.Authored, nil, tell)
	}
	return store.EraseResolved(ctx, *c.OlderThan, nil, tell)
}
