package remote

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/platform/platformtest"
)

func TestMeasuresAreAskedFor(t *testing.T) {
	t.Parallel()
	const known, unknown = "01a20400-82e9-774d-9826-0fcbb9022ef4", "01a20400-82e9-774d-9826-0fcbb9022ef5"
	at := time.Date(2026, 11, 22, 16, 4, 38, 0, time.UTC)
	for name, c := range map[string]struct {
		author string
		until  *time.Time
		ends   bool
		status int
		path   string
		asked  string // the author and until
		want   target.RemoteResult
	}{
		"an author of the platform":   {"u7", new(at.Add(time.Hour)), false, 200, "people/suspend", `{"id":"u7","subject":"u7"},"kind":"suspend","until":"2026-11-22T17:04:38.000000Z"`, target.RemoteResult{Changed: true}},
		"an account of Docket":        {known, nil, false, 200, "people/suspend", `{"id":"` + known + `","subject":"u7"},"kind":"suspend","until":null`, target.RemoteResult{Changed: true}},
		"a platform that has UUIDs":   {unknown, nil, false, 200, "people/suspend", `{"id":"` + unknown + `","subject":"` + unknown + `"},"kind":"suspend","until":null`, target.RemoteResult{Changed: true}},
		"an end":                      {"u7", nil, true, 200, "people/end", `{"id":"u7","subject":"u7"},"kind":"suspend","until":null`, target.RemoteResult{Changed: true}},
		"an author whom nobody knows": {"u7", nil, false, 404, "people/suspend", "", target.RemoteResult{Refused: "The platform refused the measure: it answered 404."}},
		"a route that is not there":   {"u7", nil, true, 404, "people/end", "", target.RemoteResult{Refused: "The platform refused the measure: it answered 404."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := connect(t, platformtest.NewClock(at), func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				want := `{"measureId":"m","author":` + c.asked + `,"reportId":"r","at":"2026-11-22T16:04:38.000000Z"}`
				if r.URL.Path != "/docket/"+c.path || r.Header.Get("Webhook-Id") != "e" || c.asked != "" && string(body) != want {
					w.WriteHeader(http.StatusTeapot)
					return
				}
				w.WriteHeader(c.status)
				fmt.Fprint(w, `{"changed": true}`)
			})
			p.settings.Subject = func(_ context.Context, plugin, user string) (string, error) {
				return map[string]string{"shop " + known: "u7"}[plugin+" "+user], nil
			}
			require.Nil(t, p.Target(review()).People, "the type does not declare it")
			r := review()
			r.People = true
			got, err := p.Target(r).People.Do(t.Context(), target.RemoteMeasure{RemoteRequest: target.RemoteRequest{MessageID: "e", ReportID: "r", At: at},
				MeasureID: "m", AuthorID: c.author, Kind: target.Suspend, Until: c.until, Ends: c.ends})
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

// A trial asks for measures on nobody, so that a missing route shows by that of the end.
func TestEveryQuestionIsTriedButActions(t *testing.T) {
	t.Parallel()
	for ends, faults := range map[int]int{200: 0, 404: 1} {
		p := connect(t, platformtest.NewClock(time.Now()), func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/docket/capture":
			case "/docket/people/end":
				w.WriteHeader(ends)
			default:
				w.WriteHeader(http.StatusNotFound)
			}
			fmt.Fprint(w, `{"changed": false, "fields": {}, "url": "https://shop.example/reviews/7"}`)
		})
		r := review()
		r.People, r.Context = true, true
		var paths []string
		found := 0
		for _, trial := range p.Try(t.Context(), r, "7") {
			paths = append(paths, trial.Path)
			found += len(trial.Faults)
		}
		require.Equal(t, []string{"capture", "current", "resolve", "context", "people/warn", "people/restrict", "people/suspend", "people/terminate", "people/end"}, paths)
		require.Equal(t, faults, found)
	}
}
