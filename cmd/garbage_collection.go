package cmd

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// minHeap is the size in bytes below which the garbage collector does not run. An idle server has 5
// MB of live heap, so without it the collector would run every few requests.
const minHeap = 64 << 20

// collectGarbageFrom makes the garbage collector run once the heap has size bytes, or twice the
// live heap, whichever is more.
func collectGarbageFrom(size int) {
	// GOGC is a percentage of the sum of these three, and the minimum heap for a collection is GOGC
	// percent of 4 MB.
	rooted := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/stack:bytes"}, {Name: "/gc/scan/globals:bytes"}}
	var adjust func(struct{})
	adjust = func(struct{}) {
		metrics.Read(rooted)
		live := int(rooted[0].Value.Uint64())
		base := live + int(rooted[1].Value.Uint64()+rooted[2].Value.Uint64())
		debug.SetGCPercent(max(100, min(100*(size-live)/max(base, 1), 100*size/(4<<20))))
		// It is unreachable at once, so its clean-up runs after the next collection.
		runtime.AddCleanup(new([32]byte), adjust, struct{}{})
	}
	adjust(struct{}{})
}
