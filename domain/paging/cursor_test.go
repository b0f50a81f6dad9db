package paging

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/docketmod/docket/domain"
)

const someID = "0199c0de-0000-7000-8000-000000000001"

// everyKind is a list with an ordering of each kind.
var everyKind = List{
	Orderings: []Ordering{
		{Name: "createdAt", Expr: "created_at", Kind: Time, Default: Desc},
		{Name: "lastRun", Expr: "last_run", Kind: Time, Default: Desc, Nullable: true},
		{Name: "rank", Expr: "rank", Kind: Int},
		{Name: "name", Expr: "name", Kind: Text},
	},
	ID: ID{Expr: "id", Kind: UUID},
}

func encoded(json string) string { return base64.RawURLEncoding.EncodeToString([]byte(json)) }

func TestBrokenCursors(t *testing.T) {
	t.Parallel()
	const at = "2026-10-11T19:33:21.123456Z"
	whole := encoded(`["createdAt","desc","` + at + `","` + someID + `"]`)
	position := func(value, id string) string {
		return encoded(fmt.Sprintf(`["createdAt","desc",%q,%q]`, value, id))
	}
	rank := func(value string) string { return encoded(fmt.Sprintf(`["rank","asc",%q,%q]`, value, someID)) }
	name := func(json string) string { return encoded(`["name","asc",` + json + `,"` + someID + `"]`) }

	cases := []struct{ name, orderBy, cursor string }{
		{"empty", "createdAt", ""},
		{"a word", "createdAt", "garbage"},
		{"not base64", "createdAt", "!!!!"},
		{"a null byte", "createdAt", "\x00"},
		{"invalid UTF-8", "createdAt", "\xff\xfe"},
		{"an emoji", "createdAt", "🦊"},
		{"SQL", "createdAt", "'; DROP TABLE core_moderation_reports; --"},
		{"cut by one character", "createdAt", whole[:len(whole)-1]},
		{"cut in half", "createdAt", whole[:len(whole)/2]},
		{"one character more", "createdAt", whole + "A"},
		{"twice over", "createdAt", whole + whole},
		{"padded", "createdAt", whole + "="},
		{"with a line break", "createdAt", whole[:8] + "\n" + whole[8:]},
		{"with a space", "createdAt", " " + whole},
		{"standard alphabet", "name", strings.NewReplacer("-", "+", "_", "/").Replace(name(`"??>>~~\u007f"`)) + "/"},
		{"loose trailing bits", "createdAt", looseBits(whole)},
		{"JSON, but not base64", "createdAt", `["createdAt","desc","` + at + `","` + someID + `"]`},
		{"no JSON", "createdAt", encoded("createdAt desc")},
		{"JSON null", "createdAt", encoded("null")},
		{"an object", "createdAt", encoded(`{"column":"createdAt"}`)},
		{"an empty array", "createdAt", encoded("[]")},
		{"too few parts", "createdAt", encoded(`["createdAt","desc","` + at + `"]`)},
		{"too many parts", "createdAt", encoded(`["createdAt","desc","` + at + `","` + someID + `",""]`)},
		{"a part that is a number", "rank", encoded(`["rank","asc",5,"` + someID + `"]`)},
		{"a part that is null", "createdAt", encoded(`["createdAt","desc",null,"` + someID + `"]`)},
		{"deep nesting", "createdAt", encoded(strings.Repeat("[", 30_000))},
		{"trailing data", "createdAt", encoded(`["createdAt","desc","` + at + `","` + someID + `"]{}`)},
		{"white space inside", "createdAt", encoded(`["createdAt", "desc","` + at + `","` + someID + `"]`)},
		{"needless escape", "createdAt", encoded(`["createdAt","d\u0065sc","` + at + `","` + someID + `"]`)},
		{"unknown column", "createdAt", encoded(`["password","desc","` + at + `","` + someID + `"]`)},
		{"another column", "lastRun", whole},
		{"another column of another kind", "rank", whole},
		{"another direction", "createdAt", encoded(`["createdAt","asc","` + at + `","` + someID + `"]`)},
		{"unknown direction", "createdAt", encoded(`["createdAt","DESC","` + at + `","` + someID + `"]`)},
		{"no time", "createdAt", position("yesterday", someID)},
		{"an empty time", "createdAt", position("", someID)},
		{"time to the second", "createdAt", position("2026-10-11T19:33:21Z", someID)},
		{"time to the nanosecond", "createdAt", position("2026-10-11T19:33:21.123456789Z", someID)},
		{"time with an offset", "createdAt", position("2026-10-11T19:33:21.123456+02:00", someID)},
		{"30 February", "createdAt", position("2026-02-30T00:00:00.000000Z", someID)},
		{"the year 0", "createdAt", position("0000-01-01T00:00:00.000000Z", someID)},
		{"the year 10000", "createdAt", position("10000-01-01T00:00:00.000000Z", someID)},
		{"a comma for the point", "createdAt", position("2026-10-11T19:33:21,123456Z", someID)},
		{"infinity where nothing is null", "createdAt", position("infinity", someID)},
		{"minus infinity", "lastRun", encoded(`["lastRun","desc","-infinity","` + someID + `"]`)},
		{"no UUID", "createdAt", position(at, "42")},
		{"UUID in capitals", "createdAt", position(at, strings.ToUpper(someID))},
		{"UUID in braces", "createdAt", position(at, "{"+someID+"}")},
		{"UUID without dashes", "createdAt", position(at, strings.ReplaceAll(someID, "-", ""))},
		{"number with a sign", "rank", rank("+5")},
		{"minus zero", "rank", rank("-0")},
		{"leading zero", "rank", rank("05")},
		{"fraction", "rank", rank("1.5")},
		{"beyond a bigint", "rank", rank("9223372036854775808")},
		{"hexadecimal", "rank", rank("0x10")},
		{"U+0000 in a text", "name", name(`"a\u0000b"`)},
		{"invalid UTF-8 in a text", "name", name("\"a\xffb\"")},
		{"half a surrogate pair", "name", name(`"\ud800"`)},
		{"text too long", "name", name(`"` + strings.Repeat("a", MaxText+1) + `"`)},
		{"a megabyte", "name", name(`"` + strings.Repeat("a", 1<<20) + `"`)},
	}
	require.GreaterOrEqual(t, len(cases), 40)
	for _, c := range cases {
		_, err := everyKind.Parse(url.Values{"orderBy": {c.orderBy}, "cursor": {c.cursor}})
		require.Equal(t, domain.CodeInvalidCursor, domain.ErrorCode(err), "%s: %v", c.name, err)
	}
}

// looseBits sets bits of the last character that encode nothing.
func looseBits(cursor string) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	if len(cursor)%4 == 0 {
		return cursor + "A" // no loose bits at this length: a lone character
	}
	last := strings.IndexByte(alphabet, cursor[len(cursor)-1])
	return cursor[:len(cursor)-1] + string(alphabet[last|1])
}

func TestCursorsComeBack(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 10, 11, 19, 33, 21, 123456789, time.FixedZone("", 7200))
	cases := []struct {
		name, orderBy string
		value         Value
	}{
		{"a time", "createdAt", TimeValue(at)},
		{"the first second of the year 1", "createdAt", TimeValue(time.Time{})},
		{"a null time", "lastRun", NullTimeValue(nil)},
		{"the least number", "rank", IntValue(-1 << 63)},
		{"the greatest number", "rank", IntValue(1<<63 - 1)},
		{"an empty text", "name", TextValue("")},
		{"a text of every sort", "name", TextValue("\"\\/\n\t<&>\u2028 ünïcödé 🦊\x01")},
		{"the longest text", "name", TextValue(strings.Repeat("\x01", MaxText))},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r, err := everyKind.Parse(url.Values{"orderBy": {c.orderBy}})
			require.NoError(t, err)
			want := Position{c.value, UUIDValue(someID)}

			back, err := everyKind.Parse(url.Values{"orderBy": {c.orderBy}, "cursor": {r.cursor(want)}})

			require.NoError(t, err)
			require.Equal(t, &want, back.after)
		})
	}
}

// What is accepted is only ever what was given out: no two cursors are one position.
func TestCursorIsCanonical(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		orderBy := rapid.SampledFrom([]string{"createdAt", "lastRun", "rank", "name"}).Draw(t, "orderBy")
		r, err := everyKind.Parse(url.Values{"orderBy": {orderBy}})
		require.NoError(t, err)
		value := TextValue(rapid.StringMatching(`[^\x00]{0,20}`).Draw(t, "text"))
		switch orderBy {
		case "rank":
			value = IntValue(rapid.Int64().Draw(t, "int"))
		case "createdAt", "lastRun":
			value = TimeValue(time.UnixMicro(rapid.Int64Range(-6e16, 2e17).Draw(t, "micros")))
		}
		cursor := []byte(r.cursor(Position{value, UUIDValue(someID)}))
		if rapid.Bool().Draw(t, "broken") {
			i := rapid.IntRange(0, len(cursor)-1).Draw(t, "at")
			cursor[i] = rapid.Byte().Draw(t, "byte")
		}

		back, err := everyKind.Parse(url.Values{"orderBy": {orderBy}, "cursor": {string(cursor)}})

		if err != nil {
			require.Equal(t, domain.CodeInvalidCursor, domain.ErrorCode(err))
			return
		}
		require.Equal(t, string(cursor), r.cursor(*back.after))
	})
}

func FuzzParse(f *testing.F) {
	f.Add("cursor=" + encoded(`["rank","asc","5","`+someID+`"]`) + "&orderBy=rank&first=3")
	f.Add("last=0&first=1&order=up&orderBy=nothing&page=1")
	f.Fuzz(func(t *testing.T, query string) {
		values, err := url.ParseQuery(query)
		if err != nil {
			return
		}
		r, err := everyKind.Parse(values)
		if err != nil {
			require.NotEmpty(t, domain.ErrorCode(err))
			return
		}
		require.LessOrEqual(t, r.Limit(), MaxSize+1)
	})
}
