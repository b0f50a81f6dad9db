package target_test

import (
	"context"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/call"
	"github.com/docketmod/docket/domain/snapshot"
	"github.com/docketmod/docket/domain/target"
)

func TestAFaultOfAReadIsItsError(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]func() error{
		"a panic": func() error { panic("no") },
		"a nil of an error's type, whose text panics": func() error { return (*fs.PathError)(nil) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := &target.Definition{
				ParseID:      func(string) (string, bool) { panic("no") },
				Capture:      func(context.Context, target.CaptureRequest) (*snapshot.Capture, error) { return nil, fault() },
				Current:      func(context.Context, string, string) (*target.State, error) { return nil, fault() },
				ResolveScope: func(context.Context, string) (string, bool, error) { return "", false, fault() },
			}
			_, err := d.Captured(t.Context(), target.CaptureRequest{})
			require.ErrorContains(t, err, "panic: ")
			_, err = d.PresentState(t.Context(), "1", "en")
			require.ErrorContains(t, err, "panic: ")
			_, _, err = d.PresentScope(t.Context(), "1")
			require.ErrorContains(t, err, "panic: ")
			require.Panics(t, func() { d.ParsedID("1") }, "as ParseID does")
		})
	}
}

func TestAnIDThatNoIndexCanHoldIsNone(t *testing.T) {
	t.Parallel()
	d := &target.Definition{ParseID: func(v string) (string, bool) { return v, v != "refused" }}
	for id, valid := range map[string]bool{
		"7": true, strings.Repeat("ü", 512): true, strings.Repeat("x", 1025): false, "a\x00": false, "a\xff": false, "refused": false,
	} {
		_, ok := d.ParsedID(id)
		require.Equal(t, valid, ok, id)
	}
}

func TestAReadIsNamedWhileItRuns(t *testing.T) {
	t.Parallel()
	named := func() (n int) {
		for _, c := range call.Running() {
			if c.Kind == "current" && c.Name == "forum.named" {
				n++
			}
		}
		return n
	}
	d := &target.Definition{Type: "forum.named", Current: func(ctx context.Context, _, _ string) (*target.State, error) {
		_, limited := ctx.Deadline()
		require.True(t, limited)
		require.Equal(t, 1, named())
		return nil, nil
	}}
	_, err := d.PresentState(t.Context(), "1", "en")
	require.NoError(t, err)
	require.Zero(t, named())
}
