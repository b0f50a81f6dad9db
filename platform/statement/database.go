package statement

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/docketmod/docket/domain/statement"
	"github.com/docketmod/docket/platform/egress"
)

const (
	timeout   = 30 * time.Second
	maxAnswer = 4 << 20 // bytes; a hundred statements are some 500 KB
	// perCall is how many statements one call can send.
	perCall = 100

	maxFaults = 20  // of a statement that are stored
	maxFault  = 300 // their code points
)

// Database is a client of the transparency database. It is safe for concurrent use.
type Database struct {
	url, token string
	http       *http.Client
}

// NewDatabase returns a client of the database at the address.
func NewDatabase(address, token string) *Database {
	return &Database{url: strings.TrimRight(address, "/") + "/api/v1/statements", token: token,
		http: egress.NewClient(egress.Options{Configured: true, KeepAlive: true, Timeout: timeout})}
}

// outcome is the database's response to a statement.
type outcome struct {
	uuid   string   // "" if it existed before, or is unknown
	faults []string // nil if it is stored
}

// send sends the statements, of which there must be at most perCall, until each is stored or refused. It calls done
// with every outcome as soon as it is known. If it returns an error, statements without an outcome count as not sent.
func (d *Database) send(ctx context.Context, all []*statement.Statement, done func(puid string, o outcome) error) error {
	for len(all) > 0 {
		status, body, err := d.post(ctx, all)
		if err != nil {
			return err
		}
		switch status {
		case http.StatusCreated:
			ids := stored(body)
			for i, s := range all {
				id := ids[s.PUID]
				if id == "" {
					id = ids["#"+strconv.Itoa(i)]
				}
				if err := done(s.PUID, outcome{uuid: id}); err != nil {
					return err
				}
			}
			return nil
		case http.StatusUnprocessableEntity:
			if !json.Valid(body) { // not by the database, but by a proxy in front of it
				return notTaken(status)
			}
			ended := refused(body, all)
			if ended == nil {
				return d.halve(ctx, all, done)
			}
			for _, s := range all {
				if o, ok := ended[s.PUID]; ok {
					if err := done(s.PUID, o); err != nil {
						return err
					}
				}
			}
			all = slices.DeleteFunc(slices.Clone(all), func(s *statement.Statement) bool { _, ok := ended[s.PUID]; return ok })
		case http.StatusRequestEntityTooLarge:
			if len(all) > 1 {
				return d.halve(ctx, all, done)
			}
			return notTaken(status)
		default:
			return notTaken(status)
		}
	}
	return nil
}

func notTaken(status int) error { return fmt.Errorf("the transparency database answered %d", status) }

// halve sends statements in two calls: to find the one because of which the database refuses all without naming it, and
// to make oversized calls smaller.
func (d *Database) halve(ctx context.Context, all []*statement.Statement, done func(string, outcome) error) error {
	if len(all) == 1 {
		return done(all[0].PUID, outcome{faults: []string{"The database refused it without a word on why."}})
	}
	if err := d.send(ctx, all[:len(all)/2], done); err != nil {
		return err
	}
	return d.send(ctx, all[len(all)/2:], done)
}

func (d *Database) post(ctx context.Context, all []*statement.Statement) (status int, body []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	content, err := json.Marshal(map[string]any{"statements": all})
	if err != nil {
		return 0, nil, fmt.Errorf("encode statements: %w", err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, d.url, bytes.NewReader(content))
	if err != nil {
		return 0, nil, fmt.Errorf("send statements: %w", err)
	}
	r.Header.Set("Authorization", "Bearer "+d.token)
	r.Header.Set("Accept", "application/json")
	r.Header.Set("Content-Type", "application/json")
	answer, err := d.http.Do(r)
	if err != nil {
		return 0, nil, fmt.Errorf("send statements: %s", egress.Explain(ctx, err, timeout))
	}
	defer func() { _ = answer.Body.Close() }()
	body, err = io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil && answer.StatusCode != http.StatusCreated { // a 201 has stored them, whatever follows
		return 0, nil, fmt.Errorf("read the transparency database's answer: %s", egress.Explain(ctx, err, timeout))
	}
	return answer.StatusCode, body, nil
}

// stored returns the ids of statements in the response by puid, the platform's id, or without one by "#" and their
// index.
func stored(body []byte) map[string]string {
	var answer struct {
		Statements []struct {
			UUID string `json:"uuid"`
			PUID string `json:"puid"`
		} `json:"statements"`
	}
	_ = json.Unmarshal(body, &answer) // without ids they are stored all the same
	ids := map[string]string{}
	for i, s := range answer.Statements {
		if s.PUID == "" {
			s.PUID = "#" + strconv.Itoa(i)
		}
		ids[s.PUID] = clip(s.UUID, 100)
	}
	return ids
}

// refused returns the outcomes in a 422 response, or nil if it names none of these statements.
func refused(body []byte, all []*statement.Statement) map[string]outcome {
	var answer struct {
		Errors map[string]json.RawMessage `json:"errors"`
	}
	_ = json.Unmarshal(body, &answer)
	ended := map[string]outcome{}
	var existing []string
	_ = json.Unmarshal(answer.Errors["existing_puids"], &existing)
	for i, s := range all {
		var fields map[string][]string
		if json.Unmarshal(answer.Errors["statement_"+strconv.Itoa(i)], &fields) == nil && len(fields) > 0 {
			if _, there := fields["puid"]; there && len(fields) == 1 && taken(fields["puid"]) {
				ended[s.PUID] = outcome{}
				continue
			}
			ended[s.PUID] = outcome{faults: listed(fields)}
		} else if slices.Contains(existing, s.PUID) {
			ended[s.PUID] = outcome{}
		}
	}
	if len(ended) == 0 {
		return nil
	}
	return ended
}

// taken reports whether the messages say that a puid exists.
func taken(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, "taken") || strings.Contains(w, "exist") })
}

func listed(fields map[string][]string) []string {
	faults := []string{}
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		for _, words := range fields[field] {
			if len(faults) < maxFaults {
				faults = append(faults, clip(field+": "+words, maxFault))
			}
		}
	}
	return faults
}

// clip makes text of the database storable, and truncates it to limit code points.
func clip(s string, limit int) string {
	runes := []rune(strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), ""))
	return string(runes[:min(len(runes), limit)])
}
