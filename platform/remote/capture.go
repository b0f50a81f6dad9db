package remote

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/snapshot"
	"github.com/docketmod/docket/domain/target"
)

// The bounds of a response's parts, in characters or items. Longer parts that are harmless are cut when the snapshot is
// built.
const (
	maxLine    = 2000
	maxURL     = 8000
	maxLong    = maxAnswer // texts of fields
	maxSubject = 255       // as of reporters
	maxAuthors = 200
	maxFiles   = 200
)

// person is an account in a request. Subject is the platform's own id for it, or null.
type person struct {
	ID      string  `json:"id"`
	Subject *string `json:"subject"`
}

type captureQuestion struct {
	Type     string   `json:"type"`
	ID       string   `json:"id"`
	Locale   string   `json:"locale"`
	Reporter reporter `json:"reporter"`
}

// reporter is the person who reports. Both ids are null for a notice, whose sender need not have an account.
type reporter struct {
	ID      *string `json:"id"`
	Subject *string `json:"subject"`
}

func (p *Platform) person(ctx context.Context, userID string) (person, error) {
	subject, err := p.settings.Subject(ctx, p.pluginID, userID)
	if err != nil {
		return person{}, fmt.Errorf("find the account at %s: %w", p.pluginID, err)
	}
	return person{ID: userID, Subject: domain.OrNull(subject)}, nil
}

// capture returns the Capture of a type: it requests what a reporter sees from the platform.
func (p *Platform) capture(t *plugin.RemoteType) func(context.Context, target.CaptureRequest) (*snapshot.Capture, error) {
	return func(ctx context.Context, r target.CaptureRequest) (*snapshot.Capture, error) {
		var by reporter
		if r.ReporterID != "" {
			who, err := p.person(ctx, r.ReporterID)
			if err != nil {
				return nil, err
			}
			by = reporter{&who.ID, who.Subject}
		}
		locale := cmp.Or(r.Locale, p.settings.Locale)
		return askFor(ctx, p, "capture", captureQuestion{t.ID, r.TargetID, locale, by}, func(body []byte) (*snapshot.Capture, []domain.Issue) {
			return ReadCapture(t, body, locale)
		}, http.StatusNotFound)
	}
}

// ReadCapture parses the response to `capture` and returns every fault. asked is the requested locale.
func ReadCapture(t *plugin.RemoteType, raw []byte, asked string) (*snapshot.Capture, []domain.Issue) {
	f := &faults{}
	o := f.readObject("", raw)
	c := &snapshot.Capture{Served: asked, URL: publicURL(o.text("url", maxURL, false))}
	if l := o.text("locale", maxLine, false); l != nil {
		if c.Served = *l; !domain.ValidLocale(*l) {
			f.add("locale", codeInvalid, "Must be a locale such as en or pt-BR.")
		}
	}
	if t.Scope != nil {
		c.Scope = &scope.Resource{Family: t.Scope.Family, ID: o.resource("scope", false)}
	}
	o.fields(t, c)
	if title := o.text("title", maxLong, false); title != nil {
		c.Title = *title
	}
	for i, raw := range o.list("authors", maxAuthors, false) {
		a := f.readObject(fmt.Sprintf("authors[%d]", i), raw)
		subject, name := a.text("subject", maxSubject, true), a.text("name", maxLine, false)
		if subject != nil {
			if *subject == "" {
				f.add(a.path+"subject", codeInvalid, "Must not be empty.")
			}
			c.Authors = append(c.Authors, snapshot.Author{ID: *subject, Name: domain.OrEmpty(name)})
		}
	}
	c.Signals = o.signals(false)
	if r, ok := o.object("revision", false); ok {
		c.Source = snapshot.Source{Version: r.version(), UpdatedAt: r.moment("updatedAt"), PublishedAt: r.moment("publishedAt")}
	}
	if len(f.issues) > 0 {
		return nil, f.issues
	}
	return c, nil
}

// version reads a revision, which may be a number.
func (o object) version() *string {
	if v := o.members["version"]; v != nil && v.Kind() == '0' {
		return new(v.String())
	}
	return o.text("version", maxLine, false)
}

// resource reads the id of a scope's resource; "" means none, unless one is required.
func (o object) resource(name string, required bool) string {
	id := o.text(name, maxLine, required)
	if id != nil && (required || *id != "") && !scope.ValidResourceID(*id) {
		o.faults.add(o.path+name, codeInvalid, "Must be the id of a resource: 1 to 64 letters, digits and . _ : -.")
	}
	return domain.OrEmpty(id)
}

// fields reads the captured fields and the title that one of them gives.
func (o object) fields(t *plugin.RemoteType, c *snapshot.Capture) {
	values, ok := o.object("fields", true)
	if !ok {
		return
	}
	wanted := t.ReportFields()
	explicit := o.member("title", false) != nil
	if wanted.Title.Name != "" {
		if title := values.text(wanted.Title.Name, maxLong, false); title != nil {
			c.Title = *title
			if explicit { // the field is then not the title, but evidence
				wanted.Snapshot = append([]content.Field{wanted.Title},
					slices.DeleteFunc(slices.Clone(wanted.Snapshot), func(f content.Field) bool { return f.Name == wanted.Title.Name })...)
			}
		}
	}
	for _, field := range wanted.Snapshot {
		kind, _ := field.Kind.SnapshotKind()
		c.Fields = append(c.Fields, snapshot.Field{Name: field.Name, Label: content.Label(field.Name), Kind: kind, Value: values.value(field)})
	}
}

var null = json.RawMessage("null")

// value reads a field by its kind.
func (o object) value(f content.Field) json.RawMessage {
	v := o.member(f.Name, false)
	if v == nil {
		return null
	}
	wrongType := func(message string) json.RawMessage {
		o.faults.add(o.path+f.Name, codeWrongType, message)
		return null
	}
	switch f.Kind {
	case content.Number:
		if v.Kind() != '0' || len(v) > 64 {
			return wrongType("Must be a number of at most 64 characters.")
		}
	case content.Boolean:
		if v.Kind() != 't' && v.Kind() != 'f' {
			return wrongType("Must be true or false.")
		}
	case content.RichText:
		if v.Kind() != '"' && v.Kind() != '{' {
			return wrongType("Must be HTML in a string, or a rich-text document.")
		}
	case content.DateTime:
		if o.moment(f.Name) == nil {
			return null
		}
	case content.File:
		return o.files(f.Name, v)
	default:
		if v.Kind() != '"' {
			return wrongType("Must be a string.")
		}
	}
	return json.RawMessage(v)
}

// files reads a file, or a list of files, and keeps the five keys that a snapshot has.
func (o object) files(name string, v jsontext.Value) json.RawMessage {
	if v.Kind() != '[' {
		return encode(o.faults.readObject(o.path+name, v).file())
	}
	kept := []snapshot.File{}
	for i, one := range o.list(name, maxFiles, false) {
		kept = append(kept, o.faults.readObject(fmt.Sprintf("%s%s[%d]", o.path, name, i), one).file())
	}
	return encode(kept)
}

func (o object) file() snapshot.File {
	file := snapshot.File{
		ID: domain.OrEmpty(o.text("id", maxLine, false)), Name: domain.OrEmpty(o.text("name", maxLine, false)),
		MIMEType: domain.OrEmpty(o.text("mimeType", maxLine, false)), URL: publicURL(o.text("url", maxURL, false)),
	}
	if size := o.member("size", false); size != nil {
		if jsonv2.Unmarshal(size, &file.Size) != nil || file.Size < 0 {
			o.faults.add(o.path+"size", codeWrongType, "Must be a whole number of at least 0.")
		}
	}
	return file
}

func encode(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil { // files always encode
		return null
	}
	return raw
}
