package http

import (
	"strconv"
	"sync"
	"time"

	"github.com/docketmod/docket/domain"
)

// hostRequests is how many requests a minute one token of a plugin may make to each server.
const hostRequests = 6000

// hostLimits counts the requests of tokens. Its zero value is ready.
type hostLimits struct {
	mu      sync.Mutex
	minute  time.Time
	byToken map[string]int
}

func (h *hostLimits) count(tokenID string, now time.Time) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if minute := now.Truncate(time.Minute); !minute.Equal(h.minute) {
		h.minute, h.byToken = minute, map[string]int{}
	}
	if h.byToken[tokenID]++; h.byToken[tokenID] > hostRequests {
		wait := h.minute.Add(time.Minute).Sub(now)
		return &domain.Error{Code: domain.CodeRateLimited, RetryAfter: wait,
			Message: "This token has made " + strconv.Itoa(hostRequests) + " requests in this minute."}
	}
	return nil
}
