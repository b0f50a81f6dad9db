package http

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"time"

	"github.com/gorilla/mux"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/platform/manifest"
)

// Platforms has the admin routes of the platforms that hold content elsewhere.
type Platforms struct {
	Connections *manifest.Connections
	Store       *manifest.Store
}

var managePlatforms = admin(permission.AreaPlatforms)

// platformList pages platforms by id.
var platformList = paging.List{ID: paging.ID{Kind: paging.Text}}

func (a *Platforms) routes() []route {
	const one = "/admin/platforms/{id}"
	return []route{
		{http.MethodGet, "/admin/platforms", managePlatforms, paged(platformList, a.list)},
		{http.MethodPost, "/admin/platforms/check", managePlatforms, a.check},
		{http.MethodPost, "/admin/platforms/fetch", managePlatforms, a.fetch},
		{http.MethodGet, one, managePlatforms, a.get},
		{http.MethodPut, one, managePlatforms, a.put},
		{http.MethodPost, one + "/secret", managePlatforms, a.secret},
		{http.MethodPost, one + "/try", managePlatforms, a.try},
		{http.MethodPost, one + "/off", managePlatforms, a.off},
		{http.MethodPost, one + "/on", managePlatforms, a.on},
		{http.MethodPost, one + "/restore", managePlatforms, a.restore},
	}
}

var validPlatform = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,63}$`)

// platformID returns the platform id in the path, or "" if it is not a valid one, such as the name of a route.
func platformID(r *http.Request) string {
	id := validPlatform.FindString(mux.Vars(r)["id"])
	if id == "check" || id == "fetch" {
		return ""
	}
	return id
}

type platformView struct {
	ID        string         `json:"id"`
	Version   *int           `json:"version"` // null for a platform of a file
	Source    string         `json:"source"`
	Types     []string       `json:"types"`
	State     manifest.State `json:"state"`
	LastGood  *domain.Time   `json:"lastGood"`
	LastFault *platformFault `json:"lastFault"`
	Breaker   string         `json:"breaker"`
}

type platformFault struct {
	At      domain.Time `json:"at"`
	Path    string      `json:"path"`
	Message string      `json:"message"`
}

type platformDetail struct {
	platformView
	Manifest *string           `json:"manifest"`
	Faults   []registry.Fault  `json:"faults"`
	Versions []platformVersion `json:"versions"`
	Calls    []platformCall    `json:"calls"`
	Secret   string            `json:"secret,omitempty"`

	ProviderSecrets []manifest.ProviderSecret `json:"providerSecrets,omitempty"`
}

type platformVersion struct {
	Version int                `json:"version"`
	Off     bool               `json:"off"`
	At      domain.Time        `json:"at"`
	By      *moderation.Person `json:"by"`
}

type platformCall struct {
	At           domain.Time `json:"at"`
	Path         string      `json:"path"`
	Status       *int        `json:"status"`
	Milliseconds int64       `json:"milliseconds"`
	Fault        *string     `json:"fault"`
}

// viewFaults returns the first faults of a manifest.
func viewFaults(faults registry.Faults) []registry.Fault {
	return append([]registry.Fault{}, faults[:min(len(faults), maxIssues)]...)
}

func viewPlatform(v manifest.View) platformView {
	out := platformView{ID: v.ID, Source: "panel", Types: v.Types, State: v.State, Breaker: "closed"}
	if v.File {
		out.Source = "file"
	} else {
		out.Version = &v.Version
	}
	if h := v.Health; !h.LastGood.IsZero() {
		out.LastGood = domain.TimeOf(&h.LastGood)
	}
	if h := v.Health; !h.LastFailed.IsZero() {
		out.LastFault = &platformFault{domain.Time(h.LastFailed), h.Path, h.Fault}
	}
	if v.Health.Open {
		out.Breaker = "open"
	}
	return out
}

func (a *Platforms) list(w http.ResponseWriter, _ *http.Request, request paging.Request) error {
	page := paging.Slice(a.Connections.List(), request, func(v manifest.View) paging.Position {
		return paging.Position{Value: paging.TextValue(v.ID), ID: paging.TextValue(v.ID)}
	})
	return writeJSON(w, http.StatusOK, paging.Map(page, viewPlatform))
}

func (a *Platforms) fetch(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	address := b.text("url")
	if err := b.Err(); err != nil {
		return err
	}
	text, err := a.Connections.Fetch(r.Context(), address)
	return okJSON(w, map[string]string{"manifest": text}, err)
}

func (a *Platforms) check(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	text := b.text("manifest")
	if err := b.Err(); err != nil {
		return err
	}
	faults, notes := a.Connections.Check(text)
	return writeJSON(w, http.StatusOK, map[string]any{"faults": viewFaults(faults), "notes": viewFaults(notes)})
}

// get returns a platform. With `version`, its manifest is that of an earlier version.
func (a *Platforms) get(w http.ResponseWriter, r *http.Request) error {
	q := readQuery(r)
	version, err := strconv.Atoi(q.text("version"))
	if q.Has("version") && (err != nil || version < 1) {
		q.fault("version", "invalid", "Must be the number of a version.")
	}
	if err := q.Err(); err != nil {
		return err
	}
	detail, err := a.detail(r.Context(), platformID(r))
	if err == nil && version > 0 {
		var text string
		if text, err = a.Store.Manifest(r.Context(), detail.ID, version); err == nil {
			detail.Manifest = &text
		}
	}
	return okJSON(w, detail, err)
}

func (a *Platforms) detail(ctx context.Context, id string) (*platformDetail, error) {
	v, ok := a.Connections.View(id)
	if !ok {
		return nil, notFound()
	}
	d := &platformDetail{platformView: viewPlatform(v), Manifest: domain.OrNull(v.Manifest), Faults: viewFaults(v.Faults), Versions: []platformVersion{}, Calls: []platformCall{}}
	if !v.File {
		versions, err := a.Store.Versions(ctx, id)
		if err != nil {
			return nil, err
		}
		for _, made := range versions {
			d.Versions = append(d.Versions, platformVersion{made.Number, made.Off, domain.Time(made.At), moderation.PersonOf(made.By, made.ByName)})
		}
	}
	for _, c := range v.Health.Calls {
		one := platformCall{At: domain.Time(c.At), Path: c.Path, Milliseconds: int64(c.Took / time.Millisecond), Fault: domain.OrNull(c.Fault)}
		if c.Status != 0 {
			one.Status = &c.Status
		}
		d.Calls = append(d.Calls, one)
	}
	return d, nil
}

func (a *Platforms) put(w http.ResponseWriter, r *http.Request) error {
	id := platformID(r)
	if id == "" {
		return notFound()
	}
	b := readBody(w, r)
	text, expected := b.text("manifest"), b.optionalInteger("expectedVersion")
	if err := b.Err(); err != nil {
		return err
	}
	made, err := a.Connections.Put(r.Context(), callerOf(r).UserID, id, text, expected)
	status := http.StatusOK
	if made.Platform != "" {
		status = http.StatusCreated
	}
	return a.answer(w, r, status, id, made, err)
}

// answer responds to a change with the changed platform.
func (a *Platforms) answer(w http.ResponseWriter, r *http.Request, status int, id string, made manifest.Secrets, err error) error {
	var faults registry.Faults
	if errors.As(err, &faults) {
		issues := make([]domain.Issue, 0, len(faults))
		for _, f := range faults[:min(len(faults), maxIssues)] {
			issues = append(issues, domain.Issue{Path: "manifest", Code: "fault", Message: f.String()})
		}
		return &domain.Error{Code: domain.CodeValidationFailed, Message: "The manifest has faults.", Issues: issues, Faults: viewFaults(faults)}
	}
	detail, missing := a.detail(r.Context(), id)
	if conflict, ok := errors.AsType[*domain.Error](err); ok && conflict.Code == domain.CodeConflict && missing == nil {
		conflict.Current = detail
	}
	if err != nil {
		return err
	}
	if missing != nil && made.Platform == "" {
		return missing
	}
	if missing != nil { // it is stored and not served yet; the secret is not shown again
		detail = &platformDetail{platformView: viewPlatform(manifest.View{ID: id, Version: 1, Types: []string{}, State: manifest.Faulty}), Faults: []registry.Fault{}, Versions: []platformVersion{}, Calls: []platformCall{}}
	}
	detail.Secret, detail.ProviderSecrets = made.Platform, made.Providers
	return writeJSON(w, status, detail)
}

func (a *Platforms) secret(w http.ResponseWriter, r *http.Request) error {
	id := platformID(r)
	made, err := a.Connections.NewSecret(r.Context(), callerOf(r).UserID, id)
	return a.answer(w, r, http.StatusOK, id, made, err)
}

func (a *Platforms) off(w http.ResponseWriter, r *http.Request) error { return a.turn(w, r, true) }
func (a *Platforms) on(w http.ResponseWriter, r *http.Request) error  { return a.turn(w, r, false) }

func (a *Platforms) turn(w http.ResponseWriter, r *http.Request, off bool) error {
	id := platformID(r)
	made, err := a.Connections.Switch(r.Context(), callerOf(r).UserID, id, off)
	return a.answer(w, r, http.StatusOK, id, made, err)
}

func (a *Platforms) restore(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	version := b.integer("version")
	if err := b.Err(); err != nil {
		return err
	}
	id := platformID(r)
	made, err := a.Connections.Restore(r.Context(), callerOf(r).UserID, id, version)
	return a.answer(w, r, http.StatusOK, id, made, err)
}

// maxTrialBody is how much of a platform's response is shown, in bytes.
const maxTrialBody = 4000

type trialView struct {
	Path   string   `json:"path"`
	Status *int     `json:"status"`
	Body   string   `json:"body"`
	Faults []string `json:"faults"`
}

func (a *Platforms) try(w http.ResponseWriter, r *http.Request) error {
	b := readBody(w, r)
	targetType, targetID := b.text("type"), b.text("targetId")
	if err := b.Err(); err != nil {
		return err
	}
	trials, err := a.Connections.Try(r.Context(), platformID(r), targetType, targetID)
	if errors.Is(err, manifest.ErrNoType) {
		return domain.Invalid(domain.Issue{Path: "type", Code: "unknown_type", Message: "The platform has no such type."})
	}
	answers := []trialView{}
	for _, t := range trials {
		one := trialView{Path: t.Path, Body: clipTo(t.Body, maxTrialBody), Faults: domain.OrNone(t.Faults)}
		if t.Status != 0 {
			one.Status = &t.Status
		}
		answers = append(answers, one)
	}
	return okJSON(w, map[string]any{"answers": answers}, err)
}
