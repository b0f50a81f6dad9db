package cmd

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"io"
	nethttp "net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/http"
)

// traceCollector takes spans over OTLP as a real one does.
type traceCollector struct {
	url string

	mu    sync.Mutex
	raw   strings.Builder // all that arrived, to look for what must not
	spans []*otlp.Span
}

func newTraceCollector(t *testing.T) *traceCollector {
	t.Helper()
	c := &traceCollector{}
	server := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		raw, err := io.ReadAll(r.Body)
		var sent collector.ExportTraceServiceRequest
		if err != nil || r.URL.Path != "/v1/traces" || proto.Unmarshal(raw, &sent) != nil {
			w.WriteHeader(nethttp.StatusBadRequest)
			return
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.raw.Write(raw)
		for _, resource := range sent.ResourceSpans {
			for _, scope := range resource.ScopeSpans {
				c.spans = append(c.spans, scope.Spans...)
			}
		}
	}))
	t.Cleanup(server.Close)
	c.url = server.URL
	return c
}

// named are the spans of a name.
func (c *traceCollector) named(name string) (found []*otlp.Span) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.spans {
		if s.Name == name {
			found = append(found, s)
		}
	}
	return found
}

func attributes(s *otlp.Span) map[string]any {
	found := map[string]any{}
	for _, a := range s.Attributes {
		switch v := a.Value.Value.(type) {
		case *common.AnyValue_StringValue:
			found[a.Key] = v.StringValue
		case *common.AnyValue_IntValue:
			found[a.Key] = v.IntValue
		}
	}
	return found
}

func TestTracesTellWhatWasDoneAndNoWordsOfPeople(t *testing.T) {
	t.Parallel()
	c := newTraceCollector(t)
	p := startProcess(t, map[string]string{"DATABASE_URL": pgtest.URL(t), "OTEL_EXPORTER_OTLP_ENDPOINT": c.url}, "demo")
	member := p.signIn("member1@demo.test")
	status, filed, err := p.send(member, nethttp.MethodPost, "/moderation/reports", map[string]string{"pluginId": "forum", "targetType": "forum.post",
		"targetId": "1", "reason": "other", "description": "private words of a member"})
	require.NoError(t, err)
	require.Equal(t, nethttp.StatusCreated, status)
	id := filed["id"].(string)
	moderator := p.signIn("moderator@demo.test")
	for path, want := range map[string]int{
		"/moderation/reports/" + id:               nethttp.StatusOK,
		"/moderation/reports?search=secretsearch": nethttp.StatusOK,
		"/moderation/nothing/secretpath":          nethttp.StatusNotFound,
		"/moderation/reports/" + id + "/claim":    nethttp.StatusMethodNotAllowed,
	} {
		r, err := nethttp.NewRequest(nethttp.MethodGet, p.url+http.Base+path, nil)
		require.NoError(t, err)
		r.Header.Set("User-Agent", "secretagent")
		r.Header.Set("X-Request-Id", "request-of-the-test")
		r.Header.Set("Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
		answer, err := moderator.Do(r)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		require.Equal(t, want, answer.StatusCode, path)
	}

	p.end(syscall.SIGTERM)

	filing := c.named("POST " + http.Base + "/moderation/reports")
	require.Len(t, filing, 1, "the last spans are sent at the end")
	require.EqualValues(t, nethttp.StatusCreated, attributes(filing[0])["http.response.status_code"])
	var statements []string
	for _, s := range c.named("INSERT") {
		if string(s.TraceId) == string(filing[0].TraceId) {
			statements = append(statements, attributes(s)["db.query.text"].(string))
		}
	}
	require.Contains(t, strings.Join(statements, "\n"), "core_moderation_report_events", "a request's SQL is in its trace")

	detail := c.named("GET " + http.Base + "/moderation/reports/{id}")
	require.Len(t, detail, 1)
	require.Equal(t, http.Base+"/moderation/reports/{id}", attributes(detail[0])["http.route"])
	require.Equal(t, "request-of-the-test", attributes(detail[0])["docket.request_id"])
	require.NotEqual(t, "0af7651916cd43dd8448eb211c80319c", hex.EncodeToString(detail[0].TraceId), "only a trusted proxy continues its trace")
	var refused []any
	for _, s := range c.named("GET") {
		refused = append(refused, attributes(s)["http.response.status_code"])
	}
	require.ElementsMatch(t, []any{int64(nethttp.StatusNotFound), int64(nethttp.StatusMethodNotAllowed)}, refused)
	for _, private := range []string{"private words", "demo.test", demoPassword, "secretsearch", "secretpath", "secretagent", id, "127.0.0.1"} {
		require.NotContains(t, c.raw.String(), private)
	}
}

func TestTracesOfAnErrorKeepBackWhatItQuotes(t *testing.T) {
	t.Parallel()
	c := newTraceCollector(t)
	provider, stop, err := (&Config{OTLPTracesEndpoint: c.url + "/v1/traces"}).tracing(t.Context(), zerolog.Nop())
	require.NoError(t, err)
	pool := pgtest.Open(t, pgtest.URL(t), postgres.Options{Tracer: queryTracer(provider)})

	ctx, span := provider.Tracer("test").Start(t.Context(), "request")
	_, failed := pool.Exec(ctx, "SELECT $1::text::int", "private words")
	span.End()
	stop()

	require.ErrorContains(t, failed, "private words")
	statements := c.named("SELECT")
	require.NotEmpty(t, statements)
	require.Equal(t, "22P02", attributes(statements[len(statements)-1])["pgx.sql_state"])
	require.Equal(t, otlp.Status_STATUS_CODE_ERROR, statements[len(statements)-1].Status.Code)
	require.NotContains(t, c.raw.String(), "private words")
}

func TestWhatACollectorRefusesWithIsLoggedShortAndOnce(t *testing.T) {
	t.Parallel()
	refusing := httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, _ *nethttp.Request) {
		w.WriteHeader(nethttp.StatusForbidden)
		_, _ = io.WriteString(w, strings.Repeat("the page of a proxy ", 10_000))
	}))
	t.Cleanup(refusing.Close)
	var said bytes.Buffer
	provider, stop, err := (&Config{OTLPTracesEndpoint: refusing.URL}).tracing(t.Context(), zerolog.New(&said))
	require.NoError(t, err)
	flushing, ok := provider.(*sdktrace.TracerProvider)
	require.True(t, ok)
	for range 2 {
		_, span := provider.Tracer("test").Start(t.Context(), "request")
		span.End()
		require.NoError(t, flushing.ForceFlush(t.Context()))
	}
	stop()
	require.Equal(t, 1, strings.Count(said.String(), "spans: they are lost"))
	require.Contains(t, said.String(), "403 Forbidden")
	require.Less(t, said.Len(), 1000)
}

func TestACollectorThatHangsHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	over := make(chan struct{})
	silent := httptest.NewServer(nethttp.HandlerFunc(func(nethttp.ResponseWriter, *nethttp.Request) { <-over }))
	defer silent.Close()
	defer close(over)
	provider, stop, err := (&Config{OTLPTracesEndpoint: silent.URL}).tracing(t.Context(), zerolog.Nop())
	require.NoError(t, err)
	begun := time.Now()
	for range 10_000 { // more than wait to be sent
		_, span := provider.Tracer("test").Start(t.Context(), "request")
		span.End()
	}
	stop()
	require.Less(t, time.Since(begun), 5*time.Second, "a server stops within 10")
}

// failing is a collector that takes spans or does not.
type failing struct{ err error }

func (f *failing) ExportSpans(context.Context, []sdktrace.ReadOnlySpan) error { return f.err }
func (f *failing) Shutdown(context.Context) error                             { return nil }

func TestACollectorThatIsDownIsToldOnce(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	collector := &failing{}
	e := &spanExporter{SpanExporter: collector, log: zerolog.New(&out)}
	for _, err := range []error{nil, errors.New("connection refused"), errors.New("connection refused"), nil, nil} {
		collector.err = err
		require.NoError(t, e.ExportSpans(t.Context(), nil))
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Len(t, lines, 2)
	require.Contains(t, lines[0], "does not accept spans")
	require.Contains(t, lines[1], "accepts spans again")
}

func TestTracesEndpoint(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		cfg  Config
		want string
	}{
		{"none", Config{}, ""},
		{"of every signal", Config{OTLPEndpoint: "http://c:4318"}, "http://c:4318/v1/traces"},
		{"with a path", Config{OTLPEndpoint: "https://c/otel/"}, "https://c/otel/v1/traces"},
		{"of traces", Config{OTLPTracesEndpoint: "http://c:4318/here"}, "http://c:4318/here"},
		{"of traces wins", Config{OTLPEndpoint: "http://other", OTLPTracesEndpoint: "http://c/here"}, "http://c/here"},
	}
	for _, c := range cases {
		require.Equal(t, c.want, c.cfg.tracesEndpoint(), c.name)
	}
	provider, stop, err := (&Config{}).tracing(context.Background(), zerolog.Nop())
	require.NoError(t, err)
	stop()
	require.Nil(t, provider)
	require.Nil(t, queryTracer(provider), "what nobody collects costs nothing")
}
