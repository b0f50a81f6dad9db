// Command draw repeats the draw of decisions for second opinions. It prints the ids of the decisions' events, in the
// order of the log.
//
//	docket audit export > log.ndjson
//	cat $DOCKET_AUDIT_DIR/*.checkpoint > checkpoints   # also at the receiver of DOCKET_AUDIT_URL
//	curl -H "Authorization: Bearer $TOKEN" $API/admin/quality > quality.json
//	go run main.go log.ndjson checkpoints quality.json
package main

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

type checkpoint struct {
	size int64
	root []byte
}

// checkpoints reads signed notes: the name of the log, its size, its root, and more.
func checkpoints(notes string) (all []checkpoint) {
	lines := strings.Split(notes, "\n")
	for i := 1; i+1 < len(lines); i++ {
		size, err := strconv.ParseInt(lines[i], 10, 64)
		root, rootErr := base64.StdEncoding.DecodeString(lines[i+1])
		if err == nil && rootErr == nil && len(root) == sha256.Size {
			all = append(all, checkpoint{size, root})
		}
	}
	slices.SortFunc(all, func(a, b checkpoint) int { return cmp.Compare(a.size, b.size) })
	return all
}

func draw(log io.Reader, notes string, quality []byte) (drawn []string, err error) {
	var settings struct {
		History []struct {
			Percent uint64
			Since   time.Time
		}
	}
	if err := json.Unmarshal(quality, &settings); err != nil {
		return nil, fmt.Errorf("read the settings: %w", err)
	}
	kept := checkpoints(notes)
	lines := bufio.NewScanner(log)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e struct {
			Position   int64
			EventID    string
			Type       string
			ActorID    *string
			OccurredAt time.Time
		}
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return nil, fmt.Errorf("read the log: %w", err)
		}
		first := slices.IndexFunc(kept, func(c checkpoint) bool { return c.size >= e.Position })
		if e.Type != "resolved" || e.ActorID == nil || first < 0 {
			continue
		}
		var percent uint64
		for _, s := range settings.History {
			if !s.Since.After(e.OccurredAt) {
				percent = s.Percent
			}
		}
		sum := sha256.Sum256(append(slices.Clone(kept[first].root), e.EventID...))
		if uint64(binary.BigEndian.Uint32(sum[:4]))*100 < percent<<32 {
			drawn = append(drawn, e.EventID)
		}
	}
	return drawn, lines.Err()
}

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: draw LOG CHECKPOINTS QUALITY")
		os.Exit(2)
	}
	drawn, err := run(os.Args[1], os.Args[2], os.Args[3])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(strings.Join(drawn, "\n"))
}

func run(log, checkpoints, quality string) ([]string, error) {
	lines, err := os.Open(log)
	if err != nil {
		return nil, err
	}
	defer lines.Close()
	notes, err := os.ReadFile(checkpoints)
	if err != nil {
		return nil, err
	}
	settings, err := os.ReadFile(quality)
	if err != nil {
		return nil, err
	}
	return draw(lines, string(notes), settings)
}
