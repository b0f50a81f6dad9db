package likeness_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/docketmod/docket/domain/likeness"
	"github.com/docketmod/docket/domain/snapshot"
)

// BenchmarkOf makes the fingerprints of a post and of the longest text.
func BenchmarkOf(b *testing.B) {
	for name, text := range map[string]string{"post": campaign, "longest": strings.Repeat("word after ", snapshot.MaxText/11)} {
		value, _ := json.Marshal(text)
		stored := snapshot.Build(snapshot.Capture{Fields: []snapshot.Field{{Name: "body", Kind: snapshot.KindText, Value: value}}}, snapshot.BuildInput{}).JSON
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if len(likeness.Of(stored).Keys()) == 0 {
					b.Fatal("no keys")
				}
			}
		})
	}
}
