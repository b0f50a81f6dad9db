// Package egress makes every HTTP request to others: to receivers of webhooks and checkpoints, to platforms whose
// content lives elsewhere and to identity providers. It follows no redirect and never takes longer than the request's
// timeout. For addresses that the operator did not set, it connects to no private network and through no proxy. Other
// modules must not import it.
package egress

import (
	"fmt"
	"net/netip"
	"slices"
	"syscall"

	"github.com/docketmod/docket/domain"
)

// forbidden lists networks that no request may reach, besides those that netip reports as private,
// loopback, link-local or multicast: special-purpose addresses, and ranges that embed an IPv4
// address in an IPv6 one.
var forbidden = prefixes(
	"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15",
	"198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
	"::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16", "fec0::/10",
)

func prefixes(texts ...string) []netip.Prefix {
	return domain.Map(texts, netip.MustParsePrefix)
}

// guard refuses addresses in private networks. It checks each address right before dialling, after
// the name was resolved, to prevent DNS rebinding.
type guard struct{ allow []netip.Prefix }

// refusedError names the refused address.
type refusedError struct{ address netip.Addr }

func (e *refusedError) Error() string {
	return fmt.Sprintf("the address %s is not public: requests to it need DOCKET_WEBHOOK_ALLOW_PRIVATE=true", e.address)
}

// control is the Control of a net.Dialer.
func (g guard) control(_, address string, _ syscall.RawConn) error {
	target, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("address %q: %w", address, err)
	}
	return g.check(target.Addr())
}

func (g guard) check(address netip.Addr) error {
	a := address.Unmap().WithZone("")
	contains := func(p netip.Prefix) bool { return p.Contains(a) }
	if slices.ContainsFunc(g.allow, contains) {
		return nil
	}
	if !a.IsGlobalUnicast() || a.IsPrivate() || slices.ContainsFunc(forbidden, contains) {
		return &refusedError{a}
	}
	return nil
}
