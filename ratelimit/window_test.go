package ratelimit

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

var perMinute = Limit{Name: "test", Budget: 100, Window: time.Minute, Key: ByUser}

// newLimiters makes limiters of one table, which must be valid.
func newLimiters(t testing.TB, table []Limit, options ...Option) *Limiters {
	t.Helper()
	l, err := New(table, options...)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// allow asks for one request.
func allow(t testing.TB, l *Limiters, checks ...Check) Decision {
	t.Helper()
	d, err := l.Allow(t.Context(), checks...)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// admitted counts how many of n requests are admitted.
func admitted(t testing.TB, l *Limiters, check Check, n int) int {
	t.Helper()
	count := 0
	for range n {
		if allow(t, l, check).Allowed {
			count++
		}
	}
	return count
}

// A fixed window admits twice the budget around its boundary, whichever moment one starts from.
func TestTwiceTheBudgetAcrossABoundary(t *testing.T) {
	for _, start := range []time.Duration{0, 1, 29 * time.Second, 59*time.Second + 999*time.Millisecond, time.Hour + 1} {
		synctest.Test(t, func(t *testing.T) {
			l := newLimiters(t, []Limit{perMinute})
			check := perMinute.For(UserKey(1))
			time.Sleep(start)
			if n := admitted(t, l, check, 200); n != 100 {
				t.Fatalf("at once %d admitted, want 100", n)
			}
			time.Sleep(time.Minute - time.Millisecond - 1)
			if n := admitted(t, l, check, 100); n != 0 {
				t.Fatalf("%d admitted before the window had room", n)
			}
			time.Sleep(2*time.Millisecond + 1)
			if n := admitted(t, l, check, 200); n != 100 {
				t.Fatalf("in the next window %d admitted, want 100", n)
			}
		})
	}
}

// Against a plain list of all admissions, under random requests of several keys, some at adversarial moments.
func TestNoWindowHoldsMoreThanTheBudget(t *testing.T) {
	for run := range 12 {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(uint64(run), 1))
			limit := Limit{Name: "test", Budget: 1 + random.IntN(20), Window: time.Duration(1+random.IntN(5)) * time.Second, Key: ByUser}
			l := newLimiters(t, []Limit{limit})
			admissions := map[int64][]time.Time{}
			for range 3000 {
				switch random.IntN(8) {
				case 0:
					time.Sleep(time.Duration(random.Int64N(int64(limit.Window))))
				case 1:
					time.Sleep(limit.Window - time.Duration(random.IntN(3)))
				case 2, 3:
					time.Sleep(time.Duration(random.Int64N(int64(10 * time.Millisecond))))
				}
				user := random.Int64N(3)
				now := time.Now()
				live := 0
				for _, at := range admissions[user] {
					if now.Sub(at) < limit.Window {
						live++
					}
				}
				d := allow(t, l, limit.For(UserKey(user)))
				if d.Allowed {
					admissions[user] = append(admissions[user], now)
					if live >= limit.Budget {
						t.Fatalf("%d admitted in one window, budget %d", live+1, limit.Budget)
					}
					continue
				}
				// Stamps are in milliseconds and err on the safe side by less than two of them.
				old := admissions[user][len(admissions[user])-limit.Budget]
				if free := now.Sub(old) - limit.Window; free > 2*time.Millisecond {
					t.Fatalf("refused %v after the window had room", free)
				}
			}
		})
	}
}

func TestRetryAfterIsTheMomentOfAdmission(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiters(t, []Limit{perMinute})
		check := perMinute.For(UserKey(1))
		time.Sleep(12345 * time.Microsecond)
		for range 100 {
			allow(t, l, check)
			time.Sleep(137 * time.Microsecond)
		}
		for range 250 {
			d := allow(t, l, check)
			for d.Allowed {
				d = allow(t, l, check)
			}
			time.Sleep(d.RetryAfter - 1)
			if again := allow(t, l, check); again.Allowed || again.RetryAfter != 1 {
				t.Fatalf("one nanosecond early: %+v", again)
			}
			time.Sleep(time.Nanosecond)
			if again := allow(t, l, check); !again.Allowed {
				t.Fatalf("at the advertised moment: %+v", again)
			}
		}
	})
}

func TestRetryAtTheAdvertisedSecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiters(t, []Limit{perMinute})
		check := perMinute.For(UserKey(1))
		allow(t, l, check)
		time.Sleep(20 * time.Second)
		admitted(t, l, check, 99)
		d := allow(t, l, check)
		if got := Seconds(d.RetryAfter); got != 40 {
			t.Fatalf("Retry-After %d, want 40", got)
		}
		time.Sleep(39 * time.Second)
		if allow(t, l, check).Allowed {
			t.Error("admitted a second early")
		}
		time.Sleep(time.Second)
		if !allow(t, l, check).Allowed {
			t.Error("refused at the advertised second")
		}
	})
}

func TestARefusalNeverProlongsTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiters(t, []Limit{perMinute})
		check := perMinute.For(UserKey(1))
		admitted(t, l, check, 100)
		end := time.Now().Add(allow(t, l, check).RetryAfter)
		for time.Now().Before(end.Add(-time.Second)) {
			time.Sleep(500 * time.Millisecond)
			if d := allow(t, l, check); d.Allowed || !time.Now().Add(d.RetryAfter).Equal(end) {
				t.Fatalf("the wait now ends at %v, it was to end at %v", time.Now().Add(d.RetryAfter), end)
			}
		}
	})
}

func TestManyAtOnceAdmitExactlyTheBudget(t *testing.T) {
	for _, goroutines := range []int{2, 8, 64} {
		t.Run(fmt.Sprint(goroutines), func(t *testing.T) {
			l := newLimiters(t, []Limit{perMinute})
			var count atomic.Int64
			var wg sync.WaitGroup
			for range goroutines {
				wg.Go(func() { count.Add(int64(admitted(t, l, perMinute.For(UserKey(7)), 200))) })
			}
			wg.Wait()
			if count.Load() != 100 {
				t.Errorf("%d admitted, want 100", count.Load())
			}
		})
	}
}

func TestTheClockNeverStepsBack(t *testing.T) {
	l := newLimiters(t, []Limit{perMinute})
	now := time.Hour
	l.all[0].memory.clock = func() time.Duration { return now }
	check := perMinute.For(UserKey(1))
	if n := admitted(t, l, check, 60); n != 60 {
		t.Fatalf("%d admitted", n)
	}
	now -= 30 * time.Minute
	if n := admitted(t, l, check, 60); n != 40 {
		t.Errorf("after a step back %d more admitted, want 40", n)
	}
	now = time.Hour + time.Minute
	if n := admitted(t, l, check, 200); n != 100 {
		t.Errorf("in the next window %d admitted, want 100", n)
	}
}

// Stamps have 32 bits of milliseconds, which wrap every 49.7 days.
func TestTheClockWrapsUnnoticed(t *testing.T) {
	const wrap = (1 << 32) * time.Millisecond
	l := newLimiters(t, []Limit{perMinute})
	now := wrap - 30*time.Second
	l.all[0].memory.clock = func() time.Duration { return now }
	check := perMinute.For(UserKey(1))
	admitted(t, l, check, 60)
	now += 40 * time.Second
	if n := admitted(t, l, check, 60); n != 40 {
		t.Errorf("after the wrap %d more admitted, want 40", n)
	}
	now += 20 * time.Second
	if n := admitted(t, l, check, 100); n != 60 {
		t.Errorf("when the first had left %d admitted, want 60", n)
	}
	// A whole turn of the clock later, the old stamps must not be taken for new ones.
	now += wrap - time.Second
	if n := admitted(t, l, check, 200); n != 100 {
		t.Errorf("a turn later %d admitted, want 100", n)
	}
}

func TestRemainingAndReset(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limit := Limit{Name: "test", Budget: 3, Window: time.Minute, Key: ByUser}
		l := newLimiters(t, []Limit{limit})
		check := limit.For(UserKey(1))
		steps := []struct {
			sleep     time.Duration
			allowed   bool
			remaining int
			reset     time.Duration
		}{
			{0, true, 2, time.Minute},
			{10 * time.Second, true, 1, 50 * time.Second},
			{10 * time.Second, true, 0, 40 * time.Second},
			{10 * time.Second, false, 0, 30 * time.Second},
			{30 * time.Second, true, 0, 10 * time.Second},
		}
		for i, step := range steps {
			time.Sleep(step.sleep)
			d := allow(t, l, check)
			if d.Allowed != step.allowed || d.Remaining != step.remaining || d.Reset != step.reset || d.Limit != 3 {
				t.Errorf("step %d: %+v, want %+v", i, d, step)
			}
		}
	})
}
