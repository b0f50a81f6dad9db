package cmd

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRevisionText(t *testing.T) {
	t.Parallel()
	require.Empty(t, revisionText(nil))
	require.Empty(t, revisionText(&debug.BuildInfo{}), "go install of a module")
	info := &debug.BuildInfo{Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "0123456789abcdef"}, {Key: "vcs.time", Value: "2026-11-22T07:00:00Z"}, {Key: "vcs.modified", Value: "false"},
	}}
	require.Equal(t, " (commit 0123456789ab, 2026-11-22T07:00:00Z)", revisionText(info))
	info.Settings[2].Value = "true"
	require.Equal(t, " (commit 0123456789ab, changed, 2026-11-22T07:00:00Z)", revisionText(info))
}
