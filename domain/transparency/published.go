package transparency

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"golang.org/x/mod/sumdb/note"
)

// Masked is the text of a published cell of 1 to 4, so that nobody can be identified by it.
const Masked = "<5"

// PublishedCell has a number, or Masked.
type PublishedCell struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
}

// Text returns the value for display.
func (c PublishedCell) Text() string {
	var s string
	if json.Unmarshal(c.Value, &s) == nil {
		return s
	}
	return string(c.Value)
}

// Mask returns the cells as they are published.
func Mask(cells []Cell) []PublishedCell {
	published := make([]PublishedCell, len(cells))
	for i, c := range cells {
		published[i] = PublishedCell{c.Name, strconv.AppendInt(nil, int64(c.Value), 10)}
		if c.Value > 0 && c.Value < 5 && c.Name != median && c.Name != p90 {
			published[i].Value = json.RawMessage(`"` + Masked + `"`)
		}
	}
	return published
}

// Report is a published report.
type Report struct {
	ID           string          `json:"id"`
	Since        string          `json:"since"` // the first day, YYYY-MM-DD
	Until        string          `json:"until"` // the last
	Cells        []PublishedCell `json:"cells"`
	Position     int64           `json:"position"` // of the log, up to which events were counted
	RootHash     string          `json:"rootHash"` // of the log's tree up to there, in hexadecimal
	QueryVersion int             `json:"queryVersion"`
	Note         string          `json:"note"` // signs all of it, like a checkpoint's note
}

// text returns the text that the note of a report signs.
func (r *Report) text() (string, error) {
	cells, err := json.Marshal(r.Cells)
	if err != nil {
		return "", fmt.Errorf("encode the cells of a report: %w", err)
	}
	hash := sha256.Sum256(cells)
	return fmt.Sprintf("docket-transparency-1\n%s\n%s %s\n%d %s\n%d\n%s\n", r.ID, r.Since, r.Until, r.Position, r.RootHash, r.QueryVersion, hex.EncodeToString(hash[:])), nil
}

// Sign sets the note.
func (r *Report) Sign(signer note.Signer) error {
	text, err := r.text()
	if err != nil {
		return err
	}
	signed, err := note.Sign(&note.Note{Text: text}, signer)
	if err != nil {
		return fmt.Errorf("sign a transparency report: %w", err)
	}
	r.Note = string(signed)
	return nil
}

// CheckNote returns an error unless one of the known keys signed the content of the report.
func (r *Report) CheckNote(known note.Verifiers) error {
	opened, err := note.Open([]byte(r.Note), known)
	if _, unknown := errors.AsType[*note.UnverifiedNoteError](err); unknown {
		return errors.New("the report is signed by none of the known keys")
	}
	if err != nil {
		return fmt.Errorf("the report's note: %w", err)
	}
	text, err := r.text()
	if err != nil {
		return err
	}
	if opened.Text != text {
		return errors.New("the report is not the one that was signed")
	}
	return nil
}

// Days returns the first and the last day.
func (r *Report) Days() (since, until time.Time, err error) {
	since, err = time.Parse(time.DateOnly, r.Since)
	if err == nil {
		until, err = time.Parse(time.DateOnly, r.Until)
	}
	return since, until, err
}

// Differences names the cells that differ from the counted ones.
func (r *Report) Differences(counted []Cell) (differences []string) {
	want := map[string]string{}
	for _, c := range Mask(counted) {
		want[c.Name] = c.Text()
	}
	for _, c := range r.Cells {
		is, ok := want[c.Name]
		delete(want, c.Name)
		switch says := c.Text(); {
		case !ok:
			differences = append(differences, fmt.Sprintf("%s: the report says %s, the log has none", c.Name, says))
		case says != is:
			differences = append(differences, fmt.Sprintf("%s: the report says %s, the log has %s", c.Name, says, is))
		}
	}
	for name, is := range want {
		differences = append(differences, fmt.Sprintf("%s: the report leaves it out, the log has %s", name, is))
	}
	slices.Sort(differences)
	return differences
}
