package proof

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
)

// maxExportLine is the longest line of an export that is read, in bytes. Lines may contain evidence.
const maxExportLine = 128 << 20

// ReadExport reads an export in NDJSON up to a position, checks that no event is missing or changed, and calls each
// with every event, without its evidence. It returns the root of the log's tree at that position.
func ReadExport(r io.Reader, through int64, each func(*report.Event)) (root []byte, err error) {
	var tree frontier
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 64<<10), maxExportLine)
	for tree.size < through && lines.Scan() {
		record, position, err := readLine(lines.Bytes())
		if err != nil {
			return nil, fmt.Errorf("position %d of the export: %w", tree.size+1, err)
		}
		if position != tree.size+1 {
			return nil, fmt.Errorf("position %d is missing in the export, which goes on with %d", tree.size+1, position)
		}
		if !bytes.Equal(record.ChainHash(), record.Hash) {
			return nil, fmt.Errorf("position %d of the export is not the event that its hash is of", position)
		}
		tree.add(eventstore.LeafHash(record))
		event, err := record.Event()
		if err != nil {
			return nil, err
		}
		each(&event)
	}
	switch {
	case lines.Err() != nil:
		return nil, fmt.Errorf("read the export: %w", lines.Err())
	case tree.size < through:
		return nil, fmt.Errorf("the export ends with position %d, and %d is needed", tree.size, through)
	case through == 0:
		return nil, nil
	}
	hash := tree.root()
	return hash[:], nil
}

func readLine(line []byte) (r eventstore.Record, position int64, err error) {
	var l exportLine
	if err := json.Unmarshal(line, &l); err != nil {
		return r, 0, errors.New("it is no line of an export")
	}
	r = eventstore.Record{EventID: l.EventID, ReportID: l.ReportID, Sequence: l.Sequence, Version: l.Version, Type: l.Type, ActorID: l.ActorID,
		OccurredAt: time.Time(l.OccurredAt), Payload: l.Payload}
	if r.PrevHash, err = hex.DecodeString(l.PrevHash); err != nil {
		return r, 0, errors.New("its prevHash is not hexadecimal")
	}
	if r.Hash, err = hex.DecodeString(l.Hash); err != nil {
		return r, 0, errors.New("its hash is not hexadecimal")
	}
	if l.EvidenceDigest != nil {
		if r.EvidenceDigest, err = hex.DecodeString(*l.EvidenceDigest); err != nil {
			return r, 0, errors.New("its evidenceDigest is not hexadecimal")
		}
	}
	return r, l.Position, nil
}
