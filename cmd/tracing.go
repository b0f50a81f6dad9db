package cmd

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/exaring/otelpgx"
	"github.com/jackc/pgx/v5"
	"github.com/rs/zerolog"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/http"
)

// flushTimeout bounds the export of the last spans at the end.
const flushTimeout = time.Second

// maxCollectorSaid bounds how much of a collector's refusal is logged, in bytes: it may be the page of a proxy.
const maxCollectorSaid = 500

// tracesEndpoint is where spans are sent, or "".
func (c *Config) tracesEndpoint() string {
	if c.OTLPTracesEndpoint != "" || c.OTLPEndpoint == "" {
		return c.OTLPTracesEndpoint
	}
	return strings.TrimRight(c.OTLPEndpoint, "/") + "/v1/traces"
}

// tracing exports spans to the collector in the background, in batches. If the collector is down or
// slow, spans are lost and no request waits. The provider is nil without a collector. stop sends
// the remaining spans, for at most a second. OpenTelemetry's other OTEL_… variables apply.
func (c *Config) tracing(ctx context.Context, log zerolog.Logger) (provider trace.TracerProvider, stop func(), err error) {
	endpoint := c.tracesEndpoint()
	if endpoint == "" {
		return nil, func() {}, nil
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(endpoint))
	if err != nil {
		return nil, nil, fmt.Errorf("send traces: %w", err)
	}
	self, err := resource.New(ctx, resource.WithTelemetrySDK(),
		resource.WithAttributes(attribute.String("service.name", "docket"), attribute.String("service.version", version)), resource.WithFromEnv())
	if err != nil {
		return nil, nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	sdk := sdktrace.NewTracerProvider(sdktrace.WithResource(self), sdktrace.WithBatcher(&spanExporter{SpanExporter: exporter, log: log}))
	return sdk, func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushTimeout)
		defer cancel()
		_ = sdk.Shutdown(ctx) // the exporter logs losses
	}, nil
}

// queryTracer makes a span for each statement of a traced request. It is nil without tracing.
func queryTracer(provider trace.TracerProvider) pgx.QueryTracer {
	if provider == nil {
		return nil
	}
	return otelpgx.NewTracer(otelpgx.WithTracerProvider(provider), otelpgx.WithMeterProvider(metricnoop.NewMeterProvider()),
		otelpgx.WithDisableConnectionDetailsInAttributes())
}

// spanExporter exports only measurements: nothing that people wrote or that identifies them. It
// logs once when the collector stops accepting spans.
type spanExporter struct {
	sdktrace.SpanExporter
	log     zerolog.Logger
	failing bool // the SDK exports one batch at a time
}

// ExportSpans logs errors itself, since OpenTelemetry's error handler is global and writes to the
// standard log.
func (e *spanExporter) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	measured := domain.Map(spans, func(s sdktrace.ReadOnlySpan) sdktrace.ReadOnlySpan { return measuredSpan{s} })
	err := e.SpanExporter.ExportSpans(ctx, measured)
	switch {
	case err != nil && !e.failing:
		said := err.Error()
		said = strings.ToValidUTF8(said[:min(len(said), maxCollectorSaid)], "")
		e.log.Warn().Str(zerolog.ErrorFieldName, said).Msg("the collector of traces does not accept spans: they are lost")
	case err == nil && e.failing:
		e.log.Info().Msg("the collector of traces accepts spans again")
	}
	e.failing = err != nil
	return nil
}

// measuredSpan is a span that has only the attributes of measuredKeys and no text of errors, which may quote stored
// values. SQL has its values in parameters, which are not attributes.
type measuredSpan struct{ sdktrace.ReadOnlySpan }

var measuredKeys = []attribute.Key{
	"http.request.method", "http.route", "http.response.status_code", "http.request.body.size", "http.response.body.size", http.RequestIDKey,
	"db.system.name", "db.operation.name", "db.query.text", "db.operation.batch.size", otelpgx.RowsAffectedKey, otelpgx.SQLStateKey,
}

func (s measuredSpan) Attributes() []attribute.KeyValue {
	return slices.DeleteFunc(slices.Clone(s.ReadOnlySpan.Attributes()), func(a attribute.KeyValue) bool { return !slices.Contains(measuredKeys, a.Key) })
}

func (s measuredSpan) Events() []sdktrace.Event { return nil }

func (s measuredSpan) Status() sdktrace.Status {
	return sdktrace.Status{Code: s.ReadOnlySpan.Status().Code}
}
