package domain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
)

func TestLanguage(t *testing.T) {
	t.Parallel()
	for locale, language := range map[string]string{"de": "de", "de-AT": "de", "de_AT": "de", "ar_EG": "ar", "zh-Hant-TW": "zh", "": "", "-": "", "_": ""} {
		require.Equal(t, language, domain.Language(locale), locale)
	}
}
