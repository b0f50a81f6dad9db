package rule_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/rule"
)

func TestThePartsThatHeldAreThoseThatWereWritten(t *testing.T) {
	t.Parallel()
	for when, want := range map[string][]string{
		`reason == "spam"`:                   {`reason == "spam"`},
		`reason == "spam" && reporters == 7`: {`reason == "spam"`},
		` (reason == "spam" || muted) && (reporters > 0 && (type != "x" || muted)) `:    {`reason == "spam"`, `reporters > 0`, `type != "x"`},
		"reason == \"spam\" && // a || b\n  // (\n  type != \"x\" // end":               {`reason == "spam"`, `type != "x"`},
		`title != "&& || (" && title != '\'&&' && title != r"\" && title != """a"||"""`: {`title != "&& || ("`, `title != '\'&&'`, `title != r"\"`, `title != """a"||"""`},
		`muted ? muted : reason == "spam" && type != "x"`:                               {`muted ? muted : reason == "spam" && type != "x"`},
		`type != "x" && (muted ? muted : type != "x")`:                                  {`type != "x"`, `muted ? muted : type != "x"`},
		`links.all(l, l != "" && l != "x") && !(muted && muted)`:                        {`links.all(l, l != "" && l != "x")`, `!(muted && muted)`},
		`signals.absent > 0.5 || signals[?"absent"].orValue(1.0) > 0.5`:                 {`signals[?"absent"].orValue(1.0) > 0.5`},
		`signals.?absent.orValue(1.0) > 0.5 && (reporters) + (1) > 0`:                   {`signals.?absent.orValue(1.0) > 0.5`, `(reporters) + (1) > 0`},
		`title != "// no comment" && true`:                                              {`title != "// no comment"`, `true`},
	} {
		e, issues := rule.Parse(when)
		require.Empty(t, issues, when)
		require.Equal(t, want, e.Held(filing()), when)
	}
}

// Of an expression that matches, some part holds, and the parts alone decide it.
func FuzzHeld(f *testing.F) {
	f.Add(`reason == "spam" && (muted || "a || b" != title) // x`)
	f.Add(`muted ? true : links.exists(l, l.matches(r"\"))`)
	f.Fuzz(func(t *testing.T, when string) {
		e, issues := rule.Parse(when)
		if issues != nil {
			return
		}
		matched, _ := e.Matches(filing())
		held := e.Held(filing())
		require.True(t, !matched || len(held) > 0, when)
		for _, part := range held {
			require.Contains(t, when, strings.Split(part, "\n")[0])
		}
	})
}
