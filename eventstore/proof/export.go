package proof

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/postgres"
)

// Export writes the log, or a part of it, by position. Memory holds one page at a time.
type Export struct {
	After   int64     // only positions after this one
	Through int64     // only positions up to this one; 0 means the end of the log when the export starts
	Since   time.Time // only events at or after this time; zero means all
	Until   time.Time // only events before this time; zero means all
	Words   bool      // include what people wrote, not only its digest
	CSV     bool      // instead of NDJSON
	// Progress, if not nil, is called with the number of positions that were read.
	Progress func(done, total int64)
}

// exportPage is how many events are read and written at a time.
const exportPage = 500

type exportLine struct {
	eventstore.Logged
	PrevHash       string          `json:"prevHash"`
	EvidenceDigest *string         `json:"evidenceDigest"`
	Erased         bool            `json:"erased"`
	Evidence       json.RawMessage `json:"evidence,omitempty"`
}

// Write exports to w and returns the last position that was written completely, where another
// export can resume. A CSV begins with a header if After is 0.
func (e Export) Write(ctx context.Context, db postgres.Querier, w io.Writer) (last int64, err error) {
	last = e.After
	end, err := eventstore.LastPosition(ctx, db)
	if err != nil {
		return last, err
	}
	through := min(cmp.Or(e.Through, end), end)
	if e.CSV && e.After == 0 {
		if err := csv.NewWriter(w).WriteAll([][]string{csvHeader}); err != nil {
			return last, fmt.Errorf("write the export: %w", err)
		}
	}
	for last < through {
		events, err := eventstore.ReadLog(ctx, db, last, int(min(exportPage, through-last)))
		if err != nil {
			return last, err
		}
		if len(events) == 0 {
			break
		}
		if err := e.page(w, e.chosen(events)); err != nil {
			return last, fmt.Errorf("write the export: %w", err)
		}
		last = events[len(events)-1].Position
		if e.Progress != nil {
			e.Progress(last-e.After, through-e.After)
		}
	}
	return last, nil
}

func (e Export) chosen(events []eventstore.Sealed) []exportLine {
	var lines []exportLine
	for _, s := range events {
		if s.OccurredAt.Before(e.Since) || !e.Until.IsZero() && !s.OccurredAt.Before(e.Until) {
			continue
		}
		l := exportLine{Logged: s.Logged(), PrevHash: hex.EncodeToString(s.PrevHash), Erased: s.EvidenceDigest != nil && s.Evidence == nil}
		if s.EvidenceDigest != nil {
			l.EvidenceDigest = new(hex.EncodeToString(s.EvidenceDigest))
		}
		if e.Words {
			l.Evidence = s.Evidence
		}
		lines = append(lines, l)
	}
	return lines
}

// page writes lines; those of NDJSON in one Write.
func (e Export) page(w io.Writer, lines []exportLine) error {
	if e.CSV {
		return csv.NewWriter(w).WriteAll(domain.Map(lines, exportLine.row))
	}
	var page bytes.Buffer
	encoder := json.NewEncoder(&page)
	for _, l := range lines {
		if err := encoder.Encode(l); err != nil {
			return err
		}
	}
	_, err := page.WriteTo(w)
	return err
}

var csvHeader = []string{"position", "eventId", "reportId", "sequence", "version", "type", "actorId", "occurredAt", "payload",
	"hash", "prevHash", "evidenceDigest", "erased", "evidence"}

func (l exportLine) row() []string {
	return []string{strconv.FormatInt(l.Position, 10), l.EventID, l.ReportID, strconv.Itoa(l.Sequence), strconv.Itoa(l.Version), l.Type,
		domain.OrEmpty(l.ActorID), time.Time(l.OccurredAt).UTC().Format(domain.TimeLayout), string(l.Payload), l.Hash, l.PrevHash, domain.OrEmpty(l.EvidenceDigest),
		strconv.FormatBool(l.Erased), string(l.Evidence)}
}
