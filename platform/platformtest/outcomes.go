package platformtest

import (
	"sync"

	"github.com/docketmod/docket/domain"
)

// Outcomes makes n concurrent calls and counts their error codes: "" is success, and an error without a code counts as
// its text.
func Outcomes(n int, call func(i int) error) map[domain.Code]int {
	var mu sync.Mutex
	counts := map[domain.Code]int{}
	var wg sync.WaitGroup
	begin := make(chan struct{})
	for i := range n {
		wg.Go(func() {
			<-begin
			err := call(i)
			code := domain.ErrorCode(err)
			if err != nil && code == "" {
				code = domain.Code(err.Error())
			}
			mu.Lock()
			counts[code]++
			mu.Unlock()
		})
	}
	close(begin)
	wg.Wait()
	return counts
}
