package projections_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/snapshot"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/fingerprints"
	"github.com/docketmod/docket/projections/projector"
)

const (
	campaigns = 2000
	copies    = 50 // of each
)

// BenchmarkLookAlikes finds the look-alikes of reports among 100,000 open ones of 2,000 campaigns. The
// copies of a campaign differ in up to a quarter of their words, in their greeting and in their link, and all
// campaigns share stock phrases. It tells the milliseconds of a page of a hundred at the 50th and the 99th
// percentile, which should be below 30, and for three thresholds which share of what is found belongs to the
// campaign (precision), which share of the campaign is found (recall), and which share of those copies whose
// pairs of words really are that much alike (of-alike).
func BenchmarkLookAlikes(b *testing.B) {
	pool := pgtest.New(b)
	fill(b, pool, campaigns*copies)
	texts := campaignTexts(rand.New(rand.NewPCG(1, 2)))
	for some := range slices.Chunk(texts, 10_000) {
		numbers, snapshots := make([]string, len(some)), make([]string, len(some))
		for i, c := range some {
			numbers[i], snapshots[i] = c.number, c.snapshot
		}
		_, err := pool.Exec(b.Context(), `UPDATE core_moderation_reports r SET snapshot = n.snapshot::json, status = 'new', assignee_id = NULL
			FROM unnest($1::text[], $2::text[]) n (number, snapshot) WHERE r.target_id = n.number`, numbers, snapshots)
		require.NoError(b, err)
	}
	began := time.Now()
	_, err := fingerprints.Projection.Rebuild(b.Context(), pool, projector.Options{})
	require.NoError(b, err)
	built := time.Since(began)
	_, err = pool.Exec(b.Context(), `VACUUM ANALYZE`)
	require.NoError(b, err)
	ids := map[string]string{}
	var id, number string
	rows, err := pool.Query(b.Context(), `SELECT id::text, target_id FROM core_moderation_reports`)
	require.NoError(b, err)
	for rows.Next() {
		require.NoError(b, rows.Scan(&id, &number))
		ids[number] = id
	}
	require.NoError(b, rows.Err())
	reports := projections.NewReports(pool)
	read := func(number string, f projections.SimilarFilter) paging.Page[projections.Similar] {
		q := projections.SimilarList.First(100)
		page, err := reports.Similar(context.Background(), permission.Coverage{All: true}, ids[number], f, q)
		require.NoError(b, err)
		return page
	}
	sample := func(i int) campaignText { return texts[i*7919%len(texts)] }

	metrics := map[string]float64{"fingerprints/s": float64(len(texts)) / built.Seconds()}
	for _, threshold := range []float64{0.5, 0.7, 0.8} {
		found, right, alike, alikeFound := 0, 0, 0, 0
		const sampled = 500
		for i := range sampled {
			of := sample(i)
			first := campaignOf(of.number) * copies
			really := map[string]bool{}
			for _, other := range texts[first : first+copies] {
				if other.number != of.number && jaccard(of.pairs, other.pairs) >= threshold {
					really[other.number] = true
				}
			}
			alike += len(really)
			for _, like := range read(of.number, projections.SimilarFilter{Min: threshold}).Edges {
				found++
				if really[like.Target.ID] {
					alikeFound++
				}
				if campaignOf(like.Target.ID) == campaignOf(of.number) {
					right++
				}
			}
		}
		metrics[fmt.Sprintf("precision-%.1f", threshold)] = float64(right) / float64(max(found, 1))
		metrics[fmt.Sprintf("recall-%.1f", threshold)] = float64(right) / (sampled * (copies - 1))
		metrics[fmt.Sprintf("of-alike-%.1f", threshold)] = float64(alikeFound) / float64(alike)
	}
	var took []float64
	for b.Loop() {
		began := time.Now()
		read(sample(len(took)).number, projections.SimilarFilter{Min: 0.8})
		took = append(took, float64(time.Since(began).Microseconds())/1000)
	}
	slices.Sort(took)
	metrics["p50-ms"], metrics["p99-ms"] = took[len(took)/2], took[len(took)*99/100]
	for name, value := range metrics {
		b.ReportMetric(value, name)
	}
}

// campaignText is the content that a report has, by the number of its target.
type campaignText struct {
	number, snapshot string
	pairs            map[string]bool // of neighbouring words
}

func pairsOf(words []string) map[string]bool {
	pairs := map[string]bool{}
	for i := range words[1:] {
		pairs[words[i]+" "+words[i+1]] = true
	}
	return pairs
}

func jaccard(a, b map[string]bool) float64 {
	both := 0
	for pair := range a {
		if b[pair] {
			both++
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

func campaignOf(number string) int {
	var n int
	_, _ = fmt.Sscan(number, &n)
	return (n - 1) / copies
}

// campaignTexts returns the copies of every campaign.
func campaignTexts(r *rand.Rand) (all []campaignText) {
	vocabulary := make([]string, 6000)
	for i := range vocabulary {
		for range 2 + r.IntN(2) {
			vocabulary[i] += string("bdfgklmnprstvz"[r.IntN(14)]) + string("aeiou"[r.IntN(5)])
		}
	}
	// Few words are frequent, as in any language.
	words := func(n int) []string {
		text := make([]string, n)
		for i := range text {
			text[i] = vocabulary[int(float64(len(vocabulary))*r.Float64()*r.Float64()*r.Float64())]
		}
		return text
	}
	stock := make([][]string, 40)
	for i := range stock {
		stock[i] = words(8)
	}
	for campaign := range campaigns {
		text := slices.Concat(stock[r.IntN(len(stock))], words(15+r.IntN(60)), stock[r.IntN(len(stock))])
		for i := range copies {
			changed := []float64{0, 0.01, 0.02, 0.05, 0.1, 0.25}[r.IntN(6)]
			near := slices.Clone(text)
			for w := range near {
				if r.Float64() < changed {
					near[w] = words(1)[0]
				}
			}
			near = slices.Concat(words(r.IntN(3)), near)
			value, _ := json.Marshal(strings.Join(near, " ") + fmt.Sprintf(" https://shop%d.example/%d", campaign, r.IntN(1000)))
			built := snapshot.Build(snapshot.Capture{Title: "Offer", Fields: []snapshot.Field{{Name: "body", Kind: snapshot.KindText, Value: value}}}, snapshot.BuildInput{})
			all = append(all, campaignText{fmt.Sprint(campaign*copies + i + 1), string(built.JSON), pairsOf(near)})
		}
	}
	return all
}
