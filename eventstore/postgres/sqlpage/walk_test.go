package sqlpage_test

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/docketmod/docket/domain/paging"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/eventstore/postgres/sqlpage"
)

var rows = paging.List{
	Orderings: []paging.Ordering{
		{Name: "createdAt", Expr: "created_at", Kind: paging.Time, Default: paging.Desc},
		{Name: "lastRun", Expr: "last_run", Kind: paging.Time, Default: paging.Desc, Nullable: true},
		{Name: "rank", Expr: "rank", Kind: paging.Int},
		{Name: "name", Expr: "name", Kind: paging.Text},
	},
	ID: paging.ID{Expr: "id", Kind: paging.UUID},
}

var orderings = []string{"createdAt", "lastRun", "rank", "name"}

type row struct {
	ID        string
	CreatedAt time.Time
	LastRun   *time.Time
	Rank      int64
	Name      string
}

func position(orderBy string) func(row) paging.Position {
	return func(r row) paging.Position {
		value := paging.TimeValue(r.CreatedAt)
		switch orderBy {
		case "lastRun":
			value = paging.NullTimeValue(r.LastRun)
		case "rank":
			value = paging.IntValue(r.Rank)
		case "name":
			value = paging.TextValue(r.Name)
		}
		return paging.Position{Value: value, ID: paging.UUIDValue(r.ID)}
	}
}

// store is a list that changes while it is read.
type store interface {
	put(ctx context.Context, r row) error
	remove(ctx context.Context, id string) error
	page(ctx context.Context, r paging.Request) (paging.Page[row], error)
}

// memory is the model, and a list of its own right: Slice.
type memory map[string]row

func (m memory) put(_ context.Context, r row) error        { m[r.ID] = r; return nil }
func (m memory) remove(_ context.Context, id string) error { delete(m, id); return nil }
func (m memory) page(_ context.Context, r paging.Request) (paging.Page[row], error) {
	var all []row
	for _, item := range m {
		all = append(all, item)
	}
	return paging.Slice(all, r, position(r.OrderBy())), nil
}

type table struct{ pool *pgxpool.Pool }

const createTable = `
CREATE TABLE walked (id uuid PRIMARY KEY, created_at timestamptz NOT NULL, last_run timestamptz,
	rank bigint NOT NULL, name text COLLATE "C" NOT NULL);
CREATE INDEX walked_created_at ON walked (created_at, id);
CREATE INDEX walked_last_run ON walked (coalesce(last_run, 'infinity'::timestamptz), id);
CREATE INDEX walked_rank ON walked (rank, id);
CREATE INDEX walked_name ON walked (name, id);`

func (t table) put(ctx context.Context, r row) error {
	_, err := t.pool.Exec(ctx, `INSERT INTO walked VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO UPDATE
		SET created_at = $2, last_run = $3, rank = $4, name = $5`, r.ID, r.CreatedAt, r.LastRun, r.Rank, r.Name)
	return err
}

func (t table) remove(ctx context.Context, id string) error {
	_, err := t.pool.Exec(ctx, "DELETE FROM walked WHERE id = $1", id)
	return err
}

func selectRows(r paging.Request) (string, []any, error) {
	return sqlpage.Apply(r, squirrel.Select("id::text, created_at, last_run, rank, name").From("walked").
		PlaceholderFormat(squirrel.Dollar)).ToSql()
}

func (t table) page(ctx context.Context, r paging.Request) (paging.Page[row], error) {
	list := sqlpage.List[row]{Task: "read rows", SQL: "SELECT id::text, created_at, last_run, rank, name FROM walked WHERE $1",
		Args: []any{true}, Scan: pgx.RowToStructByPos[row], Key: position(r.OrderBy())}
	return list.Read(ctx, t.pool, r)
}

// walk reads the whole list page by page and calls between after each page.
func walk(ctx context.Context, s store, orderBy, order string, size int, backward bool, between func() error) ([]row, error) {
	query := url.Values{"orderBy": {orderBy}, "order": {order}}
	sizeName := "first"
	if backward {
		sizeName = "last"
	}
	query.Set(sizeName, strconv.Itoa(size))
	var seen []row
	for {
		r, err := rows.Parse(query)
		if err != nil {
			return nil, err
		}
		page, err := s.page(ctx, r)
		if err != nil {
			return nil, err
		}
		if len(page.Edges) > size {
			return nil, fmt.Errorf("page of %d at size %d", len(page.Edges), size)
		}
		next, more := page.PageInfo.EndCursor, page.PageInfo.HasNextPage
		if backward {
			seen = append(slices.Clone(page.Edges), seen...)
			next, more = page.PageInfo.StartCursor, page.PageInfo.HasPreviousPage
		} else {
			seen = append(seen, page.Edges...)
		}
		if !more {
			return seen, nil
		}
		query.Set("cursor", *next)
		if err := between(); err != nil {
			return nil, err
		}
	}
}

// Few values, so that there are many ties.
func drawRow(t *rapid.T, id string) row {
	day := time.Date(2026, 10, 11, 0, 0, 0, 0, time.UTC)
	r := row{
		ID:        id,
		CreatedAt: day.Add(time.Duration(rapid.IntRange(0, 4).Draw(t, "created")) * time.Microsecond),
		Rank:      rapid.Int64Range(-1, 1).Draw(t, "rank"),
		Name:      rapid.SampledFrom([]string{"", "a", "A", "é", "\"", "z\n"}).Draw(t, "name"),
	}
	if ran := rapid.IntRange(0, 3).Draw(t, "ran"); ran > 0 {
		at := day.Add(time.Duration(ran) * time.Microsecond)
		r.LastRun = &at
	}
	return r
}

// While others come, go and change, a row that stays as it is is seen exactly
// once, in the list's order, from either end.
func walkUnderChange(t *rapid.T, s store) {
	ctx := context.Background()
	orderBy := rapid.SampledFrom(orderings).Draw(t, "orderBy")
	order := rapid.SampledFrom([]string{"asc", "desc"}).Draw(t, "order")
	size := rapid.IntRange(1, 12).Draw(t, "size")
	backward := rapid.Bool().Draw(t, "backward")
	stays, others := map[string]row{}, []string{}
	add := func(staying bool) error {
		id := uuid.UUID(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "id")).String()
		if _, taken := stays[id]; taken {
			return nil
		}
		r := drawRow(t, id)
		if staying {
			stays[id] = r
		} else {
			others = append(others, id)
		}
		return s.put(ctx, r)
	}
	for range rapid.IntRange(0, 40).Draw(t, "rows") {
		require.NoError(t, add(rapid.Bool().Draw(t, "stays")))
	}
	changes := 60 // bounded, since a list that grows as fast as it is read has no end
	change := func() error {
		if changes--; changes < 0 {
			return nil
		}
		switch kind := rapid.IntRange(0, 2).Draw(t, "change"); {
		case kind == 0 || len(others) == 0:
			return add(false)
		case kind == 1:
			return s.remove(ctx, rapid.SampledFrom(others).Draw(t, "removed"))
		default:
			return s.put(ctx, drawRow(t, rapid.SampledFrom(others).Draw(t, "changed")))
		}
	}

	seen, err := walk(ctx, s, orderBy, order, size, backward, change)

	require.NoError(t, err)
	var got, want []row
	for _, r := range seen {
		if _, stayed := stays[r.ID]; stayed {
			got = append(got, inUTC(r))
		}
	}
	for _, r := range stays {
		want = append(want, r)
	}
	values, err := rows.Parse(url.Values{"orderBy": {orderBy}, "order": {order}, "first": {"100"}})
	require.NoError(t, err)
	want = paging.Slice(want, values, position(orderBy)).Edges
	require.Equal(t, want, append([]row{}, got...))
}

func inUTC(r row) row {
	r.CreatedAt = r.CreatedAt.UTC()
	if r.LastRun != nil {
		at := r.LastRun.UTC()
		r.LastRun = &at
	}
	return r
}

func TestWalkUnderChangeInMemory(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) { walkUnderChange(t, memory{}) })
}

func TestWalkUnderChangeInPostgreSQL(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	pgtest.Exec(t, pool, createTable)
	rapid.Check(t, func(t *rapid.T) {
		pgtest.Exec(t, pool, "TRUNCATE walked")
		walkUnderChange(t, table{pool})
	})
}

// Every page size there is, both ways, over each column with its ties: the
// pages laid end to end are the list.
func TestWalkAtEverySize(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	pgtest.Exec(t, pool, createTable+`
		INSERT INTO walked SELECT gen_random_uuid(), '2026-10-11'::timestamptz + (n % 7) * interval '1 microsecond',
			CASE WHEN n % 3 > 0 THEN '2026-10-11'::timestamptz + (n % 5) * interval '1 second' END,
			n % 4, chr(97 + n % 6) FROM generate_series(1, 230) n`)
	for i, orderBy := range orderings {
		order := []string{"asc", "desc"}[i%2]
		t.Run(orderBy, func(t *testing.T) {
			t.Parallel()
			s := table{pool}
			none := func() error { return nil }
			whole, err := walk(t.Context(), s, orderBy, order, 100, false, none)
			require.NoError(t, err)
			require.Len(t, whole, 230)
			for size := 1; size <= 100; size++ {
				for _, backward := range []bool{false, true} {
					seen, err := walk(t.Context(), s, orderBy, order, size, backward, none)
					require.NoError(t, err)
					require.Equal(t, whole, seen, "size %d, backward %t", size, backward)
				}
			}
		})
	}
}

// A page deep in the list is found by the index, whichever way it is read.
func TestPagesUseTheIndex(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	pgtest.Exec(t, pool, createTable+`
		INSERT INTO walked SELECT gen_random_uuid(), '2026-10-11'::timestamptz + n * interval '1 second',
			'2026-10-11'::timestamptz + n * interval '1 second', n, n::text FROM generate_series(1, 20000) n;
		ANALYZE walked`)
	indexes := map[string]string{
		"createdAt": "walked_created_at", "lastRun": "walked_last_run", "rank": "walked_rank", "name": "walked_name",
	}
	for orderBy, index := range indexes {
		for _, order := range []string{"asc", "desc"} {
			for _, size := range []string{"first", "last"} {
				t.Run(orderBy+" "+order+" "+size, func(t *testing.T) {
					t.Parallel()
					query := url.Values{"orderBy": {orderBy}, "order": {order}, size: {"20"}}
					r, err := rows.Parse(query)
					require.NoError(t, err)
					page, err := table{pool}.page(t.Context(), r)
					require.NoError(t, err)
					query.Set("cursor", *page.PageInfo.EndCursor)
					r, err = rows.Parse(query)
					require.NoError(t, err)
					sql, args, err := selectRows(r)
					require.NoError(t, err)

					plan := pgtest.All[string](t, pool, "EXPLAIN "+sql, args...)
					text := fmt.Sprint(plan)
					require.Contains(t, text, index)
					require.Contains(t, text, "Index Cond")
					require.NotContains(t, text, "Sort")
				})
			}
		}
	}
}
