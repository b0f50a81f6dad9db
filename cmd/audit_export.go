package cmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"time"

	"github.com/docketmod/docket/eventstore/proof"
)

type auditExportCommand struct {
	Format  string    `help:"ndjson (one event a line) or csv." enum:"ndjson,csv" default:"ndjson"`
	After   int64     `help:"Events after this position." placeholder:"POSITION"`
	Through int64     `help:"Events up to this position." placeholder:"POSITION"`
	Since   time.Time `help:"Events from this time on." placeholder:"TIME"`
	Until   time.Time `help:"Events before this time." placeholder:"TIME"`
	Words   bool      `help:"Include what people wrote; without this, only its digests."`
	Output  string    `help:"Write to this file instead of standard output." placeholder:"FILE"`
	Resume  bool      `help:"Continue after the last complete event in the output file."`
}

// Run exports the log as it is at the start, in constant memory. --resume continues a file
// that was cut short.
func (c *auditExportCommand) Run(ctx context.Context, a *app) error {
	switch {
	case c.After < 0 || c.Through < 0:
		return usageError{errors.New("positions cannot be negative")}
	case c.Resume && (c.Output == "" || c.After != 0):
		return usageError{errors.New("--resume needs --output and excludes --after")}
	}
	return a.withMigrated(ctx, func(db *Database) (err error) {
		if err := db.sealer().SealAll(ctx); err != nil {
			return err
		}
		p := a.progress("exporting")
		defer p.done()
		e := proof.Export{After: c.After, Through: c.Through, Since: c.Since, Until: c.Until, Words: c.Words, CSV: c.Format == "csv", Progress: p.set}
		out := a.stdout
		if c.Output != "" {
			file, after, err := c.open()
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, file.Close()) }()
			out, e.After = file, max(c.After, after)
		}
		last, err := e.Write(ctx, db.Reads, out)
		if err != nil && last > 0 {
			return fmt.Errorf("%w; continue with --resume or --after %d", err, last)
		}
		return err
	})
}

// open creates the output file, or finds the end of its last complete line.
func (c *auditExportCommand) open() (*os.File, int64, error) {
	if !c.Resume {
		file, err := os.OpenFile(c.Output, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return nil, 0, fmt.Errorf("output: %w", err)
		}
		return file, 0, nil
	}
	file, err := os.OpenFile(c.Output, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, 0, fmt.Errorf("output: %w", err)
	}
	err = c.checkFormat(file)
	var last, size int64
	if err == nil {
		last, size, err = lastWhole(file)
	}
	if err == nil {
		err = file.Truncate(size)
	}
	if err == nil {
		_, err = file.Seek(size, io.SeekStart)
	}
	if err != nil {
		return nil, 0, errors.Join(fmt.Errorf("output: %w", err), file.Close())
	}
	return file, last, nil
}

// checkFormat returns an error if the file's lines have another format.
func (c *auditExportCommand) checkFormat(file *os.File) error {
	var first [1]byte
	switch n, err := file.ReadAt(first[:], 0); {
	case n == 0 && errors.Is(err, io.EOF): // the file is empty
		return nil
	case n == 0:
		return err
	}
	if held := map[bool]string{true: "ndjson", false: "csv"}[first[0] == '{']; held != c.Format {
		return fmt.Errorf("%s does not hold %s: continue with --format %s, or write to another file", c.Output, c.Format, held)
	}
	return nil
}

// positionOf matches the position at the beginning of a line of CSV or NDJSON.
var positionOf = regexp.MustCompile(`^(?:\{"position":)?(\d+),`)

// lastWhole returns the position of the last complete line, and its end. No line contains
// a line break.
func lastWhole(r io.Reader) (last, size int64, err error) {
	lines := bufio.NewReader(r)
	begins := true
	var at int64
	var position int64
	for {
		part, err := lines.ReadSlice('\n')
		at += int64(len(part))
		if begins {
			position = last
			if m := positionOf.FindSubmatch(part); m != nil {
				if position, err = strconv.ParseInt(string(m[1]), 10, 64); err != nil {
					return 0, 0, err
				}
			}
		}
		begins = len(part) > 0 && part[len(part)-1] == '\n'
		if begins && position > 0 { // a header alone is written again
			last, size = position, at
		}
		switch {
		case errors.Is(err, io.EOF):
			return last, size, nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return 0, 0, err
		}
	}
}
