package account

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/platform/account/factor"
	"github.com/docketmod/docket/platform/platformtest"
)

func setupPasskeys(t *testing.T) *bundle {
	t.Helper()
	b := setup(t)
	require.NoError(t, b.ServeAt(base))
	return b
}

// withPasskey adds a passkey, and returns what holds it.
func (p *someone) withPasskey(t *testing.T, name string) *authenticator {
	t.Helper()
	a := newAuthenticator(t)
	options, err := p.b.BeginPasskey(t.Context(), p.self())
	require.NoError(t, err)
	codes, err := p.b.AddPasskey(t.Context(), p.self(), name, a.make(options))
	require.NoError(t, err)
	if codes != nil {
		p.recovery = codes
	}
	return a
}

func TestAPasskeySignsIn(t *testing.T) {
	t.Parallel()
	b := setupPasskeys(t)
	ada := b.someone(t, "ada@example.test")
	laptop := ada.withPasskey(t, " Work laptop ")
	require.Len(t, ada.recovery, 10)
	codes := ada.recovery
	phone := ada.withPasskey(t, "Phone")
	require.Equal(t, codes, ada.recovery, "the first factor's codes stay")
	f, err := b.Factors(t.Context(), ada.user.ID)
	require.NoError(t, err)
	require.Equal(t, []string{"Work laptop", "Phone"}, []string{*f.Factors[0].Name, *f.Factors[1].Name})

	for _, device := range []*authenticator{laptop, phone, laptop} {
		step := ada.begin(t)
		require.Equal(t, []factor.Kind{factor.Passkey, factor.Recovery}, step.Kinds)
		require.NoError(t, ada.finish(t, step.Token, Proof{Passkey: device.prove(step.Passkey)}))
	}

	t.Log("where the server has no host name, the recovery codes are left")
	require.NoError(t, b.ServeAt(&url.URL{Scheme: "http", Host: "127.0.0.1:8080"}))
	step := ada.begin(t)
	require.Equal(t, []factor.Kind{factor.Recovery}, step.Kinds)
	_, err = b.BeginPasskey(t.Context(), ada.self())
	requireCode(t, domain.CodeInvalidState, err)
	requireCode(t, domain.CodeInvalidCredentials, ada.finish(t, step.Token, Proof{Passkey: laptop.prove(json.RawMessage(`{"publicKey": {"challenge": "x"}}`))}))
}

func TestAPasskeyThatProvesNothing(t *testing.T) {
	t.Parallel()
	b := setupPasskeys(t)
	ada, eve := b.someone(t, "ada@example.test"), b.someone(t, "eve@example.test")
	hers, other := ada.withPasskey(t, "Laptop"), eve.withPasskey(t, "Laptop")
	former := ada.begin(t)
	stolen := hers.prove(former.Passkey)
	for name, answer := range map[string]func(options json.RawMessage) json.RawMessage{
		"somebody else's":            other.prove,
		"another's challenge":        func(json.RawMessage) json.RawMessage { return hers.prove(eve.begin(t).Passkey) },
		"an earlier challenge":       func(json.RawMessage) json.RawMessage { return stolen },
		"not of this origin":         func(o json.RawMessage) json.RawMessage { h := *hers; h.origin = "https://evil.test"; return h.prove(o) },
		"a registration":             hers.make,
		"nothing":                    func(json.RawMessage) json.RawMessage { return json.RawMessage(`{}`) },
		"no object":                  func(json.RawMessage) json.RawMessage { return json.RawMessage(`[1]`) },
		"a count that does not grow": func(o json.RawMessage) json.RawMessage { h := *hers; h.count = 0; return h.prove(o) }, // of a copy
	} {
		step := ada.begin(t)
		requireCode(t, domain.CodeInvalidCredentials, ada.finish(t, step.Token, Proof{Passkey: answer(step.Passkey)}))
		t.Log(name)
	}
	require.NoError(t, ada.finish(t, former.Token, Proof{Passkey: stolen}), "the answer itself was right")
}

// A key of a million bits would take minutes to verify by.
func TestWhatTakesLongToVerifyIsRefused(t *testing.T) {
	t.Parallel()
	b := setupPasskeys(t)
	ada := b.someone(t, "ada@example.test")
	add := func(bits int, more string) error {
		a := newAuthenticator(t)
		a.rsa = bytes.Repeat([]byte{0xff}, bits/8)
		options, err := b.BeginPasskey(t.Context(), ada.self())
		require.NoError(t, err)
		_, err = b.AddPasskey(t.Context(), ada.self(), "Key", append(a.make(options), more...))
		return err
	}
	long := strings.Repeat(" ", 16<<10)
	requireCode(t, domain.CodeValidationFailed, add(3*8192, ""))
	requireCode(t, domain.CodeValidationFailed, add(2048, long))
	require.NoError(t, add(8192, ""))

	device := ada.withPasskey(t, "Laptop")
	step := ada.begin(t)
	answer := device.prove(step.Passkey)
	requireCode(t, domain.CodeInvalidCredentials, ada.finish(t, step.Token, Proof{Passkey: append(answer, long...)}))
	require.NoError(t, ada.finish(t, step.Token, Proof{Passkey: answer}))
}

func TestACopyOfAPasskeyIsRefused(t *testing.T) {
	t.Parallel()
	b := setupPasskeys(t)
	ada := b.someone(t, "ada@example.test")
	device := ada.withPasskey(t, "Key")
	clone := *device
	use := func(a *authenticator) error {
		step := ada.begin(t)
		return ada.finish(t, step.Token, Proof{Passkey: a.prove(step.Passkey)})
	}
	require.NoError(t, use(device))
	require.NoError(t, use(device))
	requireCode(t, domain.CodeInvalidCredentials, use(&clone))

	t.Log("many authenticators, such as those of phones, do not count")
	grace := b.someone(t, "grace@example.test")
	phone := newAuthenticator(t)
	phone.count = 0
	options, err := b.BeginPasskey(t.Context(), grace.self())
	require.NoError(t, err)
	_, err = b.AddPasskey(t.Context(), grace.self(), "Phone", phone.make(options))
	require.NoError(t, err)
	for range 2 {
		step := grace.begin(t)
		phone.count = ^uint32(0) // proving counts up to 0
		require.NoError(t, grace.finish(t, step.Token, Proof{Passkey: phone.prove(step.Passkey)}))
	}
}

func TestOptionsOfAPasskeyAreGoodOnceAndForMinutes(t *testing.T) {
	t.Parallel()
	b := setupPasskeys(t)
	ada, eve := b.someone(t, "ada@example.test"), b.someone(t, "eve@example.test")
	device := newAuthenticator(t)
	begin := func(p *someone) json.RawMessage {
		options, err := b.BeginPasskey(t.Context(), p.self())
		require.NoError(t, err)
		return options
	}
	add := func(name string, answer json.RawMessage) error {
		_, err := b.AddPasskey(t.Context(), ada.self(), name, answer)
		return err
	}
	requireCode(t, domain.CodeInvalidState, add("Key", device.make(begin(eve))))
	former := begin(ada)
	options := begin(ada)
	requireCode(t, domain.CodeValidationFailed, add("Key", device.make(former)))
	for _, name := range []string{"", " ", "a\nb", string(make([]rune, 101))} {
		requireCode(t, domain.CodeValidationFailed, add(name, device.make(options)))
	}
	// Two servers are given the answer at once.
	require.Equal(t, 1, platformtest.Outcomes(2, func(int) error { return add("Key", device.make(options)) })[""])
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM core_factors WHERE user_id = $1", ada.user.ID))
	requireCode(t, domain.CodeInvalidState, add("Again", device.make(options)))
	requireCode(t, domain.CodeAlreadyExists, add("Again", device.make(begin(ada))))

	another := newAuthenticator(t)
	options = begin(ada)
	b.clock.Advance(additionStep)
	b.exec(t, "UPDATE core_sessions SET factor_at = $1", b.clock.Now())
	requireCode(t, domain.CodeInvalidState, add("Late", another.make(options)))
}

func TestAPasskeyThatIsMovedProvesNothing(t *testing.T) {
	t.Parallel()
	b := setupPasskeys(t)
	ada, eve := b.someone(t, "ada@example.test"), b.someone(t, "eve@example.test")
	ada.withPasskey(t, "Laptop")
	hers := eve.withPasskey(t, "Laptop")
	b.exec(t, "UPDATE core_factors SET secret = (SELECT secret FROM core_factors WHERE user_id = $1), counter = 0 WHERE user_id = $2", eve.user.ID, ada.user.ID)
	step := ada.begin(t)
	require.Equal(t, []factor.Kind{factor.Recovery}, step.Kinds, "it cannot be opened")
	require.NoError(t, ada.finish(t, step.Token, Proof{Recovery: ada.recovery[0]}))
	b.exec(t, "UPDATE core_factors SET user_id = $1 WHERE user_id = $2", ada.user.ID, eve.user.ID)
	step = ada.begin(t)
	require.Nil(t, step.Passkey)
	requireCode(t, domain.CodeInvalidCredentials, ada.finish(t, step.Token, Proof{Passkey: hers.prove(json.RawMessage(`{"publicKey": {"challenge": "x"}}`))}))
}

func TestPasskeysNeedADomainName(t *testing.T) {
	t.Parallel()
	for host, can := range map[string]bool{"docket.example": true, "localhost:8080": true, "docket": false, "docket:8080": false, "127.0.0.1:8080": false, "[::1]": false} {
		passkeys, err := factor.NewPasskeys(&url.URL{Scheme: "http", Host: host})
		require.NoError(t, err, host)
		require.Equal(t, can, passkeys != nil, host)
	}
}

func FuzzPasskeyAnswers(f *testing.F) {
	passkeys, err := factor.NewPasskeys(base)
	require.NoError(f, err)
	owner := factor.Owner{Name: "Ada", Email: "ada@example.test"}
	added, err := passkeys.Add(owner)
	require.NoError(f, err)
	f.Add([]byte(`{"id":"AA","rawId":"AA","type":"public-key","response":{"clientDataJSON":"e30","attestationObject":"o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YUA"}}`))
	f.Add([]byte(`{"response":{}}`))
	f.Fuzz(func(_ *testing.T, answer []byte) {
		_, _ = passkeys.Added(owner, added.Expects, answer)
		_, _, _ = passkeys.Proved(owner, added.Expects, answer)
	})
}
