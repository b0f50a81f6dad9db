// Fill adds a long history of reports to a database: their events, signed and sealed, and all
// projections.
//
//	go run ./scripts/fill --reports 1000000 --cases 50000
//
// It reads the settings of the docket command, such as DATABASE_URL and DOCKET_AUDIT_KEY. A server
// on the database serves no reports until the history is complete.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"time"

	"github.com/alecthomas/kong"

	"github.com/docketmod/docket/cmd"
	"github.com/docketmod/docket/scripts/fill/history"
)

type options struct {
	Reports int `help:"Reports to add." default:"10000"`
	Cases   int `help:"Targets that they are about; 0 is one for every twenty reports."`
}

func main() {
	// Little memory survives its part, so fewer collections save time.
	debug.SetGCPercent(400)
	var o options
	kong.Parse(&o, kong.Description("Add a long history of reports to DATABASE_URL."))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "fill:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) (err error) {
	db, key, err := cmd.Open(ctx, os.Stderr)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	start, shown := time.Now(), time.Time{}
	events, err := history.Forum(ctx, db.Pool, history.Size{Reports: o.Reports, Cases: o.Cases}, key, func(what string, done, total int64) {
		if now := time.Now(); now.Sub(shown) > time.Second || done == total {
			shown = now
			fmt.Fprintf(os.Stderr, "%6.1fs  %s %d of %d\n", now.Sub(start).Seconds(), what, done, total)
		}
	})
	if err != nil {
		return err
	}
	took := time.Since(start)
	fmt.Printf("%d reports, %d events in %s: %.0f events a second\n", o.Reports, events, took.Round(time.Millisecond), float64(events)/took.Seconds())
	return nil
}
