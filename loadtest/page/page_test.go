package page

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"pubquiz/loadtest"
)

func exampleReport() loadtest.Report {
	const s = time.Second
	return loadtest.Report{
		Venues: 1, Phones: 3, Joined: 2, RefusedLegit: 1, Delayed: 1, LongestWait: 20_000, TookMs: 100_000,
		Refusals: map[string]int{"playerPageLoad": 2}, KeptOut: map[string]int{"<script>alert(1)</script>": 1},
		Requests:    []loadtest.Requests{{Kind: "join page", Count: 3}},
		BotRequests: []loadtest.Requests{{Kind: "bot: page", Count: 900}},
		Plan:        loadtest.Plan{Phones: 3, Questions: 2, Seconds: 20, Arrive: 90 * s, Bots: 5, BotCode: true, DropWiFi: 15 * s, CutSocket: 0.25},
		Story: loadtest.Story{
			Began: time.Unix(0, 0),
			Lanes: []loadtest.Lane{
				{Venue: 1, Phone: 1, Changes: []loadtest.Change{{At: 1 * s, To: loadtest.Scanning}, {At: 2 * s, To: loadtest.Polling}, {At: 3 * s, To: loadtest.OnSocket}, {At: 90 * s, To: loadtest.Left}},
					Marks: []loadtest.Mark{{At: 50 * s, What: loadtest.Answered}}},
				{Venue: 1, Phone: 2, Changes: []loadtest.Change{{At: 4 * s, To: loadtest.Scanning}, {At: 5 * s, To: loadtest.Waiting}, {At: 25 * s, To: loadtest.Polling}, {At: 95 * s, To: loadtest.Left}},
					Marks: []loadtest.Mark{{At: 5 * s, What: "playerPageLoad"}, {At: 5 * s, What: "playerPageLoad"}}},
				{Venue: 1, Phone: 3, Changes: []loadtest.Change{{At: 6 * s, To: loadtest.Scanning}, {At: 7 * s, To: loadtest.Left}}},
			},
			Moments: []loadtest.Moment{{At: 30 * s, Venue: 1, What: "question 1.1"}, {At: 40 * s, Until: 55 * s, Venue: 1, What: "no WiFi"}},
			Samples: []loadtest.Sample{{At: 2 * s, Took: 12 * time.Millisecond, Kind: "join"}, {At: 60 * s, Took: 5 * time.Second, Kind: "phone poll"}},
			Refused: loadtest.BySecond{"playerPageLoad": {0, 0, 0, 0, 0, 2}}, BotRefused: loadtest.BySecond{"global": {900}, "joinMiss": {30, 30}},
		},
	}
}

func written(t *testing.T, r loadtest.Report) string {
	t.Helper()
	var b strings.Builder
	if err := Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPageSaysWhatHappened(t *testing.T) {
	page := written(t, exampleReport())
	for _, want := range []string{
		"<h1>3 phones in 1 venue</h1>", "1 phones were kept out", "25 % of the phones lost their socket halfway", "the WiFi was gone for 15 s",
		"5 bots at every venue that knew the join code", "<dd>2</dd><dd>of 3; 1 had to wait, the longest 20 s</dd>", "no WiFi", "&lt;script&gt;alert(1)&lt;/script&gt;",
		`playerPageLoad <span class="muted">2</span>`, `global <span class="muted">900</span>`, "Venue 1",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("lacks %q", want)
		}
	}
	calm := exampleReport()
	calm.RefusedLegit, calm.Story = 0, loadtest.Story{}
	if page := written(t, calm); !strings.Contains(page, "Nobody was kept out, and every acknowledged answer is stored") || strings.Count(page, ">None.<") != 7 {
		t.Error("a run in which nothing happened is not said to be one")
	}
}

// The page runs nothing, fetches nothing, and draws nothing outside its charts.
func TestPageStandsAlone(t *testing.T) {
	page := written(t, exampleReport())
	for _, active := range regexp.MustCompile(`<(?:script|link|img|iframe)|\s(?:src|href|on\w+)=`).FindAllString(page, -1) {
		t.Errorf("it has %q", active)
	}
	paths := regexp.MustCompile(` d="([^"]*)"`).FindAllStringSubmatch(page, -1)
	for _, path := range paths {
		for _, n := range regexp.MustCompile(`[0-9.]+`).FindAllString(path[1], -1) {
			if v, err := strconv.ParseFloat(n, 64); err != nil || v > width+1 {
				t.Errorf("a path has %q", n)
			}
		}
	}
	if len(paths) < 10 {
		t.Errorf("%d paths", len(paths))
	}
}

func TestRoomCountsEveryPhoneOnce(t *testing.T) {
	r := exampleReport()
	d := drawing{took: 100 * time.Second, story: r.Story}
	top := regexp.MustCompile(`V([0-9.]+)h`)
	for _, s := range d.room().Shapes {
		for _, found := range top.FindAllStringSubmatch(s.Path, -1) {
			if y, err := strconv.ParseFloat(found[1], 64); err != nil || y < 0 || y > roomHeight {
				t.Errorf("%s reaches %q of %d", s.Look, found[1], roomHeight)
			}
		}
	}
}

func TestManyLanesAreChosenByTrouble(t *testing.T) {
	d := drawing{took: 100 * time.Second}
	for n := range 2 * mostLanes {
		l := loadtest.Lane{Venue: 1, Phone: n + 1, Changes: []loadtest.Change{{To: loadtest.OnSocket}}}
		if n%2 == 1 {
			l.Changes[0].To = loadtest.Polling
		}
		d.story.Lanes = append(d.story.Lanes, l)
	}
	venues, note := d.lanes()
	if len(venues) != 1 || venues[0].Height != mostLanes*laneHeight || note == "" {
		t.Fatalf("%d venues, %q", len(venues), note)
	}
	for _, s := range venues[0].Shapes {
		if s.Look == "lane polling" && strings.Count(s.Path, "M") != mostLanes {
			t.Errorf("%d of the phones that polled are drawn", strings.Count(s.Path, "M"))
		}
	}
}

func TestScales(t *testing.T) {
	for n, want := range map[int]int{0: 1, 1: 1, 2: 2, 3: 5, 6: 10, 100: 100, 101: 200, 2400: 5000} {
		if got := roundUp(n); got != want {
			t.Errorf("roundUp(%d) = %d: want %d", n, got, want)
		}
	}
	for d, want := range map[time.Duration]string{
		0: "0.0 ms", 4700 * time.Microsecond: "4.7 ms", 72 * time.Millisecond: "72 ms", 5 * time.Second: "5 s", 5300 * time.Millisecond: "5.3 s",
		42500 * time.Millisecond: "42 s", 83 * time.Second: "1 min 23 s", 120 * time.Second: "2 min",
	} {
		if got := readable(d); got != want {
			t.Errorf("readable(%d) = %q: want %q", d, got, want)
		}
	}
	for _, took := range []time.Duration{time.Second, 100 * time.Second, time.Hour} {
		if n := len((drawing{took: took}).across()); n < 1 || n > 7 {
			t.Errorf("%d ticks for %s", n, took)
		}
	}
	l := logarithmic{1, 100}
	for v, want := range map[float64]float64{0: 0, 1: 0, 10: 0.5, 100: 1, 1000: 1} {
		if got := l.up(v); got != want {
			t.Errorf("up(%g) = %g: want %g", v, got, want)
		}
	}
}
