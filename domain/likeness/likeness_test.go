package likeness_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/docketmod/docket/domain/likeness"
	"github.com/docketmod/docket/domain/snapshot"
)

// of returns the fingerprint of content with one text field.
func of(text string) likeness.Fingerprint {
	value, _ := json.Marshal(text)
	return likeness.Of(snapshot.Build(snapshot.Capture{Title: "A title", Fields: []snapshot.Field{{Name: "body", Kind: snapshot.KindText, Value: value}}}, snapshot.BuildInput{}).JSON)
}

func similarity(a, b string) float64 {
	return float64(of(a).Signature.Alike(of(b).Signature)) / likeness.Hashes
}

const campaign = "Buy ten thousand real followers today for only nine dollars and watch your page grow. Our team delivers within an hour, " +
	"no password needed, and your money back if you are not happy with what you get from us."

func TestTextsThatAreReadTheSameAreEqual(t *testing.T) {
	t.Parallel()
	for name, pair := range map[string][2]string{
		"case, signs and spaces":      {"Buy NOW, it's cheap!", "buy now – it s   cheap"},
		"accents, one or two letters": {"déjà vu encore une fois", "de\u0301ja\u0300 VU encore une fois"},
		"compatibility forms":         {"ｆｒｅｅ money for you", "free money for you"},
		"mathematical letters":        {"𝐟𝐫𝐞𝐞 money for you", "free money for you"},
		"invisible characters":        {"fr\u200bee mo\u00adney for you", "free money for you"},
		"sharp s":                     {"die Straße ist weit weg", "DIE STRASSE IST WEIT WEG"},
		"Arabic vowel signs":          {"اشْتَرِ الآنَ بِسِعْرٍ رَخِيصٍ جِدًّا", "اشتر الان بسعر رخيص جدا"},
		"Arabic stretched letters":    {"اشتـــر الآن بسعر رخيـــص", "اشتر الان بسعر رخيص"},
		"Arabic and Persian letters":  {"شرکة کبیرة علی الطریق", "شركه كبيره على الطريق"},
		"Arabic digits":               {"اتصل على ٠١٢٣٤٥ الآن من فضلك", "اتصل على 012345 الآن من فضلك"},
		"another address":             {"Win a phone at https://a.example/x today", "Win a phone at https://b.example/y today"},
		"text right after an address": {"请看https://a.example，现在购买可以获得一万名真实的粉丝", "请看，现在购买可以获得一万名真实的粉丝"},
		"a short text":                {"Hello!", "hello"},
	} {
		require.InDelta(t, 1, similarity(pair[0], pair[1]), 0, name)
	}
}

func TestTextsThatDifferAreLessAlike(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		a, b     string
		from, to float64
	}{
		"one word of many":                 {campaign, strings.Replace(campaign, "nine", "seven", 1), 0.85, 0.99},
		"a sentence more":                  {campaign, campaign + " Offer ends on Sunday night.", 0.8, 0.97},
		"the same words in another order":  {"one two three four five six", "six five four three two one", 0, 0.1},
		"other content":                    {campaign, "I think that the second chapter explains why rivers freeze from above and not from below.", 0, 0.05},
		"a short text within a longer one": {"buy now", "buy now and save", 0.2, 0.5},
		"two short ones":                   {"buy now", "buy then", 0, 0},
		"three words, two of them alike":   {"buy it now", "buy it then", 0, 0},
		"Chinese with a few other letters": {"现在购买可以获得一万名真实的粉丝只需九美元", "现在购买可以获得一万名真实的粉丝只需七美元", 0.75, 0.99},
		"nothing to compare":               {"🎉🎉🎉", "!!!", 1, 1}, // both have their title
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := similarity(c.a, c.b)
			require.GreaterOrEqual(t, got, c.from)
			require.LessOrEqual(t, got, c.to)
		})
	}
}

// A signature is stored, so the same text must have the same one in every release.
func TestSignaturesStayAsTheyAre(t *testing.T) {
	t.Parallel()
	f := of("the quick brown fox jumps over the lazy dog")
	require.Equal(t, "6c6d7a0ed807d986", fmt.Sprintf("%x", []byte(f.Signature[:8])))
	require.Equal(t, int64(4506146674896523667), f.Keys()[0])
}

func TestOfWhatIsNoSnapshot(t *testing.T) {
	t.Parallel()
	for _, stored := range []string{"", "null", "[]", "{", `{"fields":3}`, `{"title":"","fields":[]}`} {
		require.Empty(t, likeness.Of(json.RawMessage(stored)).Keys(), stored)
	}
	require.Zero(t, likeness.Signature(nil).Alike(nil), "nothing is like nothing")
}

var text = rapid.StringMatching(`([a-e]{1,3}[ .]){0,40}`)

func TestLikenessIsSymmetricAndOneOfEquals(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := of(text.Draw(t, "a")), of(text.Draw(t, "b"))
		require.Equal(t, a.Signature.Alike(b.Signature), b.Signature.Alike(a.Signature))
		require.Equal(t, likeness.Hashes, a.Signature.Alike(a.Signature))
		if n := a.Signature.Alike(b.Signature); n == likeness.Hashes {
			require.Equal(t, a.Keys(), b.Keys())
		}
	})
}

// The estimate is near the Jaccard similarity that it stands for.
func TestLikenessEstimatesJaccard(t *testing.T) {
	t.Parallel()
	pairs := func(words []string) map[string]bool {
		set := map[string]bool{}
		for i := range words[1:] {
			set[words[i]+" "+words[i+1]] = true
		}
		return set
	}
	rapid.Check(t, func(t *rapid.T) {
		words := make([]string, rapid.IntRange(20, 200).Draw(t, "words"))
		for i := range words {
			words[i] = fmt.Sprint("w", i)
		}
		other := append([]string{}, words...)
		for range rapid.IntRange(0, 20).Draw(t, "changes") {
			other[rapid.IntRange(0, len(other)-1).Draw(t, "at")] = rapid.StringMatching(`x[a-z]{6}`).Draw(t, "word")
		}
		a, b := pairs(words), pairs(other)
		both := 0
		for p := range a {
			if b[p] {
				both++
			}
		}
		jaccard := float64(both) / float64(len(a)+len(b)-both)
		require.InDelta(t, jaccard, similarity(strings.Join(words, " "), strings.Join(other, " ")), 0.25) // more than five standard deviations
	})
}

// Of texts that are nearly the same, hardly any pair has no key in common.
func TestNearCopiesHaveAKeyInCommon(t *testing.T) {
	t.Parallel()
	words := strings.Fields(campaign)
	found, like := 0, 0
	for i := range words {
		for j := range i {
			other := append([]string{}, words...)
			other[i], other[j] = "x", "y"
			a, b := of(campaign), of(strings.Join(other, " "))
			if a.Signature.Alike(b.Signature) < likeness.Hashes*8/10 {
				continue
			}
			like++
			keys := map[int64]bool{}
			for _, k := range a.Keys() {
				keys[k] = true
			}
			for _, k := range b.Keys() {
				if keys[k] {
					found++
					break
				}
			}
		}
	}
	require.Greater(t, like, 100)
	require.Equal(t, like, found)
}
