package snapshot_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/docketmod/docket/domain/richtext"
	"github.com/docketmod/docket/domain/snapshot"
)

// BenchmarkBuild freezes captures that fill a snapshot, and some that do not fit
// into one; a filing of 256 KB may cost 10 ms of server time in all.
func BenchmarkBuild(b *testing.B) {
	const line = "<p>One <b>or</b> two.</p>"
	html := strings.Repeat(line, 1750)
	var text, rich, beyond []snapshot.Field
	for i := range 12 {
		name := fmt.Sprint(i)
		value := strings.Repeat("Some words, ä and 世. ", 1000)
		text = append(text, snapshot.Field{Name: name, Kind: "text", Value: json.RawMessage(quoted(value[:20_000]))})
		rich = append(rich, snapshot.Field{Name: name, Kind: "richText", Value: json.RawMessage(paragraphs(180, strings.Repeat("word ", 10)))})
		beyond = append(beyond, snapshot.Field{Name: name, Kind: "richText", Value: json.RawMessage(paragraphs(500, strings.Repeat("wörd ", 10)))})
	}
	for _, test := range []struct {
		name   string
		fields []snapshot.Field
	}{
		{"text", text},
		{"documents", rich},
		{"documents that fall back", beyond},
		{"HTML", []snapshot.Field{field("richText", quoted(html))}},
		{"the same as a document", []snapshot.Field{field("richText", string(richtext.FromHTML(html).JSON()))}},
		{"HTML that is cut", []snapshot.Field{field("richText", quoted(strings.Repeat(line, 10_000)))}},
	} {
		c := snapshot.Capture{Title: "A title", Fields: test.fields, Source: snapshot.Source{UpdatedAt: new(time.Time)}}
		b.Run(test.name, func(b *testing.B) {
			b.ReportAllocs()
			size := 0
			for b.Loop() {
				size = len(snapshot.Build(c, input).JSON)
			}
			b.ReportMetric(float64(size), "bytes")
		})
	}
}
