package remote

import (
	"context"
	"fmt"
	"net/http"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/snapshot"
)

// A Trial is one request to a platform and its response.
type Trial struct {
	Path   string
	Status int    // 0 without a response
	Body   string // of the answer
	Faults []string
}

// Try sends a platform each request about a type, for the content with this id. It requests no action, and measures
// only on an author who does not exist. It calls the providers with the platform's capture.
func (p *Platform) Try(ctx context.Context, t *plugin.RemoteType, id string, providers ...*Provider) []Trial {
	var captured *snapshot.Capture
	trials := []Trial{
		p.try(ctx, "capture", captureQuestion{t.ID, id, p.settings.Locale, reporter{ID: domain.OrNull(noUUID)}}, true, func(raw []byte) (issues []domain.Issue) {
			captured, issues = ReadCapture(t, raw, p.settings.Locale)
			return issues
		}),
		p.try(ctx, "current", currentQuestion{t.ID, id, p.settings.Locale}, true, func(raw []byte) []domain.Issue {
			_, issues := ReadCurrent(t, raw)
			return issues
		}),
	}
	if captured != nil && captured.URL != "" {
		trials = append(trials, p.try(ctx, "resolve", resolveQuestion{captured.URL}, true, faultsOf(ReadResolved)))
	}
	if t.Context {
		trials = append(trials, p.try(ctx, "context", contextQuestion{t.ID, id}, true, faultsOf(ReadContext)))
	}
	if t.People {
		nobody := "docket-try"
		q := measureQuestion{MeasureID: noUUID, Author: person{nobody, &nobody}, ReportID: noUUID, At: written(p.settings.Now())}
		for _, q.Kind = range measureKinds {
			trials = append(trials, p.try(ctx, "people/"+string(q.Kind), q, true, faultsOf(ReadAction)))
		}
		trials = append(trials, p.try(ctx, endPath, q, false, faultsOf(ReadAction)))
	}
	for _, one := range providers {
		if captured != nil {
			trials = append(trials, one.Try(ctx, snapshot.Target{PluginID: one.PluginID, Type: t.ID, ID: id}, *captured))
		}
	}
	return trials
}

// Try calls a provider with content that is not stored.
func (p *Provider) Try(ctx context.Context, t snapshot.Target, c snapshot.Capture) Trial {
	stored := snapshot.Build(c, snapshot.BuildInput{Target: t, CapturedAt: p.platform.settings.Now()}).JSON
	return p.platform.try(ctx, "providers/"+p.Name, p.Question(noUUID, t, stored), false, faultsOf(ReadSignals))
}

// noUUID is an id that nothing has.
const noUUID = "00000000-0000-0000-0000-000000000000"

func faultsOf[T any](read func([]byte) (T, []domain.Issue)) func([]byte) []domain.Issue {
	return func(raw []byte) []domain.Issue {
		_, issues := read(raw)
		return issues
	}
}

// TryFamily requests the resources of a scope family from a platform.
func (p *Platform) TryFamily(ctx context.Context, f *plugin.RemoteFamily) []Trial {
	return []Trial{
		p.try(ctx, "scopes/list", listQuestion{f.ID, "", 25}, false, faultsOf(ReadScopes)),
		p.try(ctx, "scopes/find", findQuestion{f.ID, []string{"no-such-resource"}}, false, faultsOf(ReadScopes)),
	}
}

func (p *Platform) try(ctx context.Context, path string, question any, mayMiss bool, read func([]byte) []domain.Issue) Trial {
	answer, err := p.post(ctx, path, "", question)
	trial := Trial{Path: path, Status: answer.status, Body: string(answer.body)}
	switch {
	case err != nil:
		trial.Faults = []string{err.Error()}
	case answer.status == http.StatusNotFound && mayMiss:
	case answer.status == http.StatusUnauthorized:
		trial.Faults = []string{"the signature was refused (401): who is asked must know this secret, and its clock must be right"}
	case answer.status != http.StatusOK:
		trial.Faults = []string{fmt.Sprintf("the status must be 200, not %d", answer.status)}
	default:
		for _, issue := range read(answer.body) {
			trial.Faults = append(trial.Faults, issue.String())
		}
	}
	return trial
}
