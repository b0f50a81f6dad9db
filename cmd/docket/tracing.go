package main

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

	"github.com/docketmod/docket/http"
)

// flushTimeout bounds how long the last spans may take at the end.
const flushTimeout = time.Second

// tracesEndpoint is where spans go; "" where nobody collects them.
func (c *Config) tracesEndpoint() string {
	if c.OTLPTracesEndpoint != "" || c.OTLPEndpoint == "" {
		return c.OTLPTracesEndpoint
	}
	return strings.TrimRight(c.OTLPEndpoint, "/") + "/v1/traces"
}

// tracing makes spans and sends them to the collector in the background, in
// batches: one that is down or slow loses spans and holds nobody up. The provider
// is nil where there is no collector. stop sends what is left, for a second at
// most. OTEL_… variables beside the endpoint tune it as OpenTelemetry says.
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
		_ = sdk.Shutdown(ctx) // what was lost is told by the exporter
	}, nil
}

// queryTracer makes a span of each statement that a traced request sends. nil: none.
func queryTracer(provider trace.TracerProvider) pgx.QueryTracer {
	if provider == nil {
		return nil
	}
	return otelpgx.NewTracer(otelpgx.WithTracerProvider(provider), otelpgx.WithMeterProvider(metricnoop.NewMeterProvider()),
		otelpgx.WithDisableConnectionDetailsInAttributes())
}

// spanExporter lets out of each span what was measured, and nothing that a person
// wrote or is known by. It tells once when the collector stops taking spans.
type spanExporter struct {
	sdktrace.SpanExporter
	log     zerolog.Logger
	failing bool // the SDK exports one batch at a time
}

// ExportSpans keeps the error from OpenTelemetry's handler, which is global and
// prints to the standard log.
func (e *spanExporter) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	measured := make([]sdktrace.ReadOnlySpan, len(spans))
	for i, span := range spans {
		measured[i] = measuredSpan{span}
	}
	err := e.SpanExporter.ExportSpans(ctx, measured)
	switch {
	case err != nil && !e.failing:
		e.log.Warn().Err(err).Msg("the collector of traces takes no spans: they are lost")
	case err == nil && e.failing:
		e.log.Info().Msg("the collector of traces takes spans again")
	}
	e.failing = err != nil
	return nil
}

// measuredSpan is a span without the words of errors, which may quote what was
// stored, and with these attributes alone. SQL has its values in parameters,
// which are none of them.
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
