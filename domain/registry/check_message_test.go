package registry_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/registry"
)

func checkMessage(text string) error {
	return registry.Check(&registry.Declaration{Plugin: plugin.Plugin{ID: "shop", Messages: map[string]map[string]string{"en": {"shop.item": text}}}})
}

func TestMessagesThatBrowsersFormat(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "Item", "Anna's item", "an item}", "# of <b>items</b>", "it''s {count}", "a '{literal}' brace", "an open '{quote", "{ count }", "{0}", "{größe}",
		"{count, plural, one {item} other {items}}",
		"{count,plural,offset:1 =0{no item}=1{one item}few{#}other{# '#' items of {shop, select, big {a big shop} other {a shop}}}}",
		"{count, selectordinal, one {#st} other {#th}}",
		"{price, number}", "{price, number, ::currency/EUR}", "{at, date, short} {at, time, ::Hmm}", "{at, date, d 'o''clock }'}",
		"{count, plural,\n\tone {item}\n\tother {items}\n}",
	} {
		require.NoError(t, checkMessage(text), "%q", text)
	}
}

func TestMessagesThatBrowsersWouldShowWithTheirBraces(t *testing.T) {
	t.Parallel()
	for text, why := range map[string]string{
		"{":      "a { has no matching }",
		"{count": "a { has no matching }",
		"{count, plural, one {item} other {items}": "a { has no matching }",
		"{count, plural, other {items":             "a { has no matching }",
		"{}":                                       "a { is not followed by the name of a value; write '{' for the character itself",
		"{ }":                                      "a { is not followed by the name of a value; write '{' for the character itself",
		"{{count}}":                                "a { is not followed by the name of a value; write '{' for the character itself",
		"{count items}":                            "after {count comes neither } nor a comma",
		"{count, plurals, other {items}}":          `{count} has the type "plurals", and must have number, date, time, plural, selectordinal or select`,
		"{count, plural}":                          "{count} lacks its forms, such as other {…}",
		"{count, plural, one {item}}":              "{count} lacks the form other",
		"{count, plural, one item other {items}}":    "the form one of {count} must have its text in braces",
		"{count, plural, one {a} one {b} other {c}}": "{count} has the form one twice",
		"{count, plural, = {a} other {b}}":           "after = of {count} comes no number",
		"{count, plural, offset:x other {b}}":        "the offset of {count} is not a number",
		"{shop, select, =1 {a} other {b}}":           "{shop} lacks the form other",
		"{at, date, }":                               "{at} has an empty style",
		"{at, date, d 'o}":                           "an apostrophe in the style of {at} has no second one",
	} {
		require.EqualError(t, checkMessage(text), "plugin shop: Messages.en.shop.item: not an ICU message: "+why, "%q", text)
	}
	require.EqualError(t, registry.Check(registry.ParseManifest("shop.yaml", []byte("id: shop\nmessages:\n  en:\n    shop.item: 'an {item'\n"))),
		"shop.yaml:4: messages.en.shop.item: not an ICU message: a { has no matching }")
}
