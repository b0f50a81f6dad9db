package cmd

import (
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// warnings returns a line for each option that weakens the service. Production refuses some of them
// instead, see insecure.
func (c *Config) warnings() []string {
	var all []string
	warn := func(on bool, text string) {
		if on {
			all = append(all, text)
		}
	}
	everybody := func(p netip.Prefix) bool { return p.Bits() == 0 }
	warn(c.DefaultCronSecret(), "CRON_SECRET is not set: anybody who knows the public default can run the scheduled jobs")
	warn(c.WebhookAllowPrivate, "DOCKET_WEBHOOK_ALLOW_PRIVATE is on: people who manage webhooks can reach addresses of the private network")
	for _, p := range c.TrustedProxies {
		warn(everybody(p), "DOCKET_TRUSTED_PROXIES trusts everybody: a client can claim any address, and so evade the limits of sign-in")
	}
	warn(c.SecretsKey == "" && c.Production(), "DOCKET_SECRETS_KEY is not set: sessions made by SQL sign in, and webhook secrets and those of authenticator apps are stored unencrypted")
	warn(c.MetricsListen == "" && c.Production(), "DOCKET_METRICS_LISTEN is not set: /metrics is on the public listener")
	warn(c.MetricsListen != "" && !onThisMachine(c.MetricsListen), "DOCKET_METRICS_LISTEN is reachable from other machines: it serves profiles without a password")
	warn(!c.Production() && !onThisMachine(c.Listen), "DOCKET_LISTEN is reachable from other machines, and DOCKET_ENV is not production")
	warn(unencrypted(c.DatabaseURL), "DATABASE_URL has sslmode=disable: the connection to another machine is not encrypted")
	warn(unencrypted(c.DatabaseReadURL), "DATABASE_READ_URL has sslmode=disable: the connection to another machine is not encrypted")
	plain := func(address string) bool {
		u, err := url.Parse(strings.TrimSpace(address))
		return err == nil && u.Scheme == "nats" && !thisMachine(u.Hostname())
	}
	warn(slices.ContainsFunc(strings.Split(c.BrokerURL, ","), plain), "DOCKET_BROKER_URL is not tls://: events may go to another machine unencrypted")
	if c.LogLevel == "trace" || c.LogLevel == "debug" {
		warn(c.Production(), "LOG_LEVEL is "+c.LogLevel+": the log grows with each request")
	}
	return all
}

func onThisMachine(listen string) bool {
	host, _, err := net.SplitHostPort(listen)
	return err == nil && thisMachine(host)
}

// thisMachine reports whether a host of a URL is this machine.
func thisMachine(host string) bool {
	address, err := netip.ParseAddr(host)
	return err == nil && address.IsLoopback() || host == "localhost" || strings.HasPrefix(host, "/")
}

// unencrypted reports whether a database URL connects to another machine without TLS.
func unencrypted(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Query().Get("sslmode") != "disable" {
		return false
	}
	host := u.Hostname()
	if given := u.Query().Get("host"); given != "" {
		host = given
	}
	return host != "" && !thisMachine(host)
}
