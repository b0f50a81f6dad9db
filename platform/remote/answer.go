package remote

import (
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docketmod/docket/domain"
)

// The codes of faults in a response.
const (
	codeWrongType = "wrong_type"
	codeRequired  = "required"
	codeInvalid   = "invalid"
	codeTooLong   = "too_long"
	codeTooMany   = "too_many"
)

// maxAnswer is the largest response, in bytes.
const maxAnswer = 1 << 20

// maxFaults bounds how many faults of a response are reported.
const maxFaults = 50

// faults collects the faults of a response.
type faults struct{ issues []domain.Issue }

// add adds a fault, unless its field or an enclosing one already has one.
func (f *faults) add(path, code, message string) {
	if len(f.issues) < maxFaults && !domain.HasIssue(f.issues, path) {
		f.issues = append(f.issues, domain.Issue{Path: path, Code: code, Message: message})
	}
}

// object is a JSON object in a response. Unknown members are ignored.
type object struct {
	faults  *faults
	path    string // with a dot at its end, or ""
	members map[string]jsontext.Value
}

// readObject parses strict JSON: valid UTF-8, no duplicate names, nothing after the value.
func (f *faults) readObject(path string, raw []byte) object {
	o := object{faults: f, members: map[string]jsontext.Value{}}
	if path != "" {
		o.path = path + "."
	}
	if err := json.Unmarshal(raw, &o.members); err != nil || o.members == nil {
		var syntax *jsontext.SyntacticError
		if errors.As(err, &syntax) {
			f.add(path, "invalid_json", "This is not strict JSON.")
		} else {
			f.add(path, codeWrongType, "Must be a JSON object.")
		}
		o.members = map[string]jsontext.Value{}
	}
	return o
}

// member returns a member, or nil if it is missing or null.
func (o object) member(name string, required bool) jsontext.Value {
	v := o.members[name]
	if v == nil || v.Kind() == 'n' {
		if required {
			o.faults.add(o.path+name, codeRequired, "Must be given.")
		}
		return nil
	}
	return v
}

// text reads a string of at most limit characters.
func (o object) text(name string, limit int, required bool) *string {
	v := o.member(name, required)
	if v == nil {
		return nil
	}
	var s string
	if json.Unmarshal(v, &s) != nil {
		o.faults.add(o.path+name, codeWrongType, "Must be a string.")
		return nil
	}
	if len([]rune(s)) > limit {
		o.faults.add(o.path+name, codeTooLong, fmt.Sprintf("Must have at most %d characters.", limit))
		return nil
	}
	return &s
}

func (o object) boolean(name string, required bool) bool {
	v := o.member(name, required)
	if v == nil {
		return false
	}
	var b bool
	if json.Unmarshal(v, &b) != nil {
		o.faults.add(o.path+name, codeWrongType, "Must be true or false.")
	}
	return b
}

func (o object) moment(name string) *time.Time {
	s := o.text(name, 64, false)
	if s == nil {
		return nil
	}
	t, err := time.Parse(time.RFC3339Nano, *s)
	if err != nil || t.Year() < 1 || t.Year() > 9999 {
		o.faults.add(o.path+name, codeInvalid, "Must be an RFC 3339 time.")
		return nil
	}
	return &t
}

func (o object) object(name string, required bool) (object, bool) {
	v := o.member(name, required)
	if v == nil {
		return object{faults: o.faults}, false
	}
	return o.faults.readObject(o.path+name, v), true
}

// list reads an array of at most limit values.
func (o object) list(name string, limit int, required bool) []jsontext.Value {
	v := o.member(name, required)
	if v == nil {
		return nil
	}
	var list []jsontext.Value
	if json.Unmarshal(v, &list) != nil {
		o.faults.add(o.path+name, codeWrongType, "Must be a list.")
		return nil
	}
	if len(list) > limit {
		o.faults.add(o.path+name, codeTooMany, fmt.Sprintf("Must have at most %d values.", limit))
		return nil
	}
	return list
}

// publicURL returns an absolute http or https URL unchanged, and "" for anything else.
func publicURL(s *string) string {
	if s == nil {
		return ""
	}
	u, err := url.Parse(*s)
	if err != nil || u.Host == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return *s
}
