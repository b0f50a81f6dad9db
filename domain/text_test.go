package domain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
)

func TestVisible(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"a letter": "a", "among invisible ones": "\u200bé\ufeff", "an emoji": "👍🏽", "joined emoji": "👩\u200d🚀", "a sign": "-",
		"Arabic with a direction mark": "\u200fسلام", "Persian with a non-joiner": "می\u200cخواهم",
	} {
		require.True(t, domain.Visible(text), name)
	}
	for name, text := range map[string]string{
		"nothing": "", "spaces": " \t\u00a0\u3000", "zero-width space": "\u200b", "byte order mark": "\ufeff", "soft hyphen": "\u00ad",
		"word joiner": "\u2060", "zero-width joiner": "\u200d", "direction mark": "\u200f", "tag": "\U000e0041", "private use": "\ue000",
		"Hangul fillers": "\u115f\u1160\u3164\uffa0", "variation selector": "\ufe0f", "grapheme joiner": "\u034f",
		"blank Braille pattern": "\u2800", "control character": "\x07",
	} {
		require.False(t, domain.Visible(text), name)
	}
}
