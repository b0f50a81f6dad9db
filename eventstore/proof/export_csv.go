package proof

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/docketmod/docket/domain"
)

// CSVHeader names the columns of a CSV export.
var CSVHeader = []string{"position", "eventId", "reportId", "sequence", "version", "type", "actorId", "occurredAt", "payload",
	"hash", "prevHash", "evidenceDigest", "erased", "evidence"}

func (l exportLine) row() []string {
	return []string{strconv.FormatInt(l.Position, 10), l.EventID, l.ReportID, strconv.Itoa(l.Sequence), strconv.Itoa(l.Version), l.Type,
		domain.OrEmpty(l.ActorID), formatTime(l.OccurredAt), string(l.Payload), l.Hash, l.PrevHash, domain.OrEmpty(l.EvidenceDigest),
		strconv.FormatBool(l.Erased), string(l.Evidence)}
}

func formatTime(t domain.Time) string {
	return time.Time(t).UTC().Format(domain.TimeLayout)
}

func writeCSV(w io.Writer, rows [][]string) error {
	c := csv.NewWriter(w)
	if err := c.WriteAll(rows); err != nil {
		return fmt.Errorf("write the export: %w", err)
	}
	return nil
}
