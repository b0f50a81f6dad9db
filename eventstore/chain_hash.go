package eventstore

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strconv"

	"github.com/docketmod/docket/domain"
)

// genesis is what Genesis returns.
var genesis = make([]byte, sha256.Size)

// Genesis returns the previous hash of a report's first event: 32 zero bytes.
func Genesis() []byte { return slices.Clone(genesis) }

// ChainHash computes SHA-256(prev_hash ‖ canonical bytes of the event). The canonical
// bytes are `docket-event-1` and the fields in order, each after its length as eight
// big-endian bytes; numbers are decimal, times are microseconds since 1970.
func (r *Record) ChainHash() []byte {
	all := append(make([]byte, 0, 1024), r.PrevHash...)
	for _, field := range []string{"docket-event-1", r.EventID, r.ReportID, strconv.Itoa(r.Sequence), strconv.Itoa(r.Version),
		r.Type, domain.OrEmpty(r.ActorID), strconv.FormatInt(r.OccurredAt.UnixMicro(), 10), string(r.Payload), string(r.EvidenceDigest)} {
		all = append(binary.BigEndian.AppendUint64(all, uint64(len(field))), field...)
	}
	hash := sha256.Sum256(all)
	return hash[:]
}
