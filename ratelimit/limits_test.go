package ratelimit

import (
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"
)

// The specification, word for word.
func TestTable(t *testing.T) {
	want := []struct {
		name    Name
		budget  int
		minutes int
		key     KeyKind
		down    Fallback
	}{
		{"global", 1200, 1, ByAddress, Local},
		{"joinSession", 100, 1, ByAddress, Local},
		{"submitAnswer", 10, 1, ByParticipant, Local},
		{"playerPageLoad", 60, 1, ByAddress, Local},
		{"sessionPoll", 30, 1, ByParticipant, Local},
		{"auth", 10, 15, ByAddress, Local},
		{"passwordReset", 5, 15, ByAddress, Closed},
		{"hostAction", 30, 1, ByUser, Local},
		{"pricing", 20, 1, ByAddress, Local},
		{"stripeCheckout", 5, 10, ByUser, Closed},
		{"authAccount", 10, 15, ByAccount, Local},
		{"joinMiss", 30, 1, ByAddress, Local},
		{"resetAccount", 3, 60, ByAccount, Closed},
		{"participantAction", 20, 1, ByParticipant, Local},
		{"hostEdit", 300, 1, ByUser, Local},
		{"socketOpen", 20, 1, ByParticipant, Local},
		{"seatLoad", 60, 1, ByParticipant, Local},
		{"seatShare", 12, 1, ByParticipant, Local},
	}
	if len(Table) != len(want) {
		t.Fatalf("%d rows, want %d", len(Table), len(want))
	}
	for i, w := range want {
		l := Table[i]
		if l.Name != w.name || l.Budget != w.budget || l.Window != time.Duration(w.minutes)*time.Minute || l.Key != w.key || l.StoreDown != w.down {
			t.Errorf("row %d is %+v, want %+v", i, l, w)
		}
		if l.Hurt == "" {
			t.Errorf("%s: who is hurt?", l.Name)
		}
		if l.PerInstance != (l.Name == "global" || l.Name == "seatShare") {
			t.Errorf("%s: per instance %v", l.Name, l.PerInstance)
		}
		if err := l.Validate(); err != nil {
			t.Error(err)
		}
	}
}

func TestLimitAsJSON(t *testing.T) {
	got, err := json.Marshal(Auth)
	if err != nil {
		t.Fatal(err)
	}
	var row struct {
		Name          string
		Limit         int
		WindowSeconds int
		Key           string
	}
	if err := json.Unmarshal(got, &row); err != nil {
		t.Fatal(err)
	}
	if row.Name != "auth" || row.Limit != 10 || row.WindowSeconds != 900 || row.Key != "IP" {
		t.Errorf("%s", got)
	}
}

func TestOverride(t *testing.T) {
	table, err := Override(Table, "joinSession=200, auth=5/20m global=2400/1m+shared,hostEdit=shadow")
	if err != nil {
		t.Fatal(err)
	}
	if l := table[1]; l.Budget != 200 || l.Window != time.Minute {
		t.Errorf("%+v", l)
	}
	if l := table[5]; l.Budget != 5 || l.Window != 20*time.Minute {
		t.Errorf("%+v", l)
	}
	if l := table[0]; l.Budget != 2400 || l.PerInstance {
		t.Errorf("%+v", l)
	}
	if !table[14].Shadow || table[13].Shadow || Table[14].Shadow || Table[1].Budget != 100 {
		t.Error("shadow mode or a budget is where it should not be")
	}
	l := newLimiters(t, table)
	if d := allow(t, l, JoinSession.For(AddressKey(addressOf(1)))); d.Limit != 200 {
		t.Errorf("%+v", d)
	}
	if l.Table()[1].Budget != 200 {
		t.Errorf("%+v", l.Table()[1])
	}
}

func TestOverrideRefuses(t *testing.T) {
	for _, settings := range []string{
		"joinSession=0", "joinSession=-1", "joinSession=100001", "joinSession=many", "joinSession=", "joinSession", "joinsession=5", "=5",
		"auth=5/0s", "auth=5/1500ms", "auth=5/25h", "auth=5/15", "auth=5/", "auth=5/1m+loud", "auth=5/1m/1m",
	} {
		if _, err := Override(Table, settings); err == nil {
			t.Errorf("%q was taken", settings)
		}
	}
}

func TestNewRefusesWhatIsNotALimit(t *testing.T) {
	good := Limit{Name: "test", Budget: 1, Window: time.Second, Key: ByUser}
	if _, err := New([]Limit{good}); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*Limit){
		"no name":         func(l *Limit) { l.Name = "" },
		"budget 0":        func(l *Limit) { l.Budget = 0 },
		"no window":       func(l *Limit) { l.Window = 0 },
		"no key":          func(l *Limit) { l.Key = 0 },
		"blocks of users": func(l *Limit) { l.Overflow = CountBlock },
	} {
		bad := good
		spoil(&bad)
		if _, err := New([]Limit{bad}); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	if _, err := New([]Limit{good, good}); err == nil {
		t.Error("two of one name: taken")
	}
	if _, err := New([]Limit{good}, MaxKeys(0)); err == nil {
		t.Error("no room for keys: taken")
	}
}

// A hundred phones behind one address poll every ten seconds for ten minutes.
func TestSeenElsewhereRoomPolls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiters(t, Table)
		room := Global.For(SeatedKey(addressOf(1)))
		for range 60 {
			for phone := range int64(100) {
				if d := allow(t, l, room); !d.Allowed {
					t.Fatalf("the room was refused: %+v", d)
				}
				if d := allow(t, l, SessionPoll.For(PhoneKey(phone, 0, 0))); !d.Allowed {
					t.Fatalf("phone %d was refused: %+v", phone, d)
				}
				time.Sleep(100 * time.Millisecond)
			}
		}
	})
}

func TestBusiest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiters(t, []Limit{perMinute})
		l.all[0].memory.seed = seed{0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb, 0xd6e8feb86659fd93} // so that every run is like this one
		for user := range int64(5000) {
			allow(t, l, perMinute.For(UserKey(1000+user)))
			if user%25 == 0 {
				allow(t, l, perMinute.For(UserKey(1)))
			}
			if user%50 == 0 {
				allow(t, l, perMinute.For(UserKey(2)))
			}
		}
		admitted(t, l, perMinute.For(UserKey(1)), 300)
		busy := l.Busiest("test", 2)
		if b := busy[0]; b.Key != UserKey(1) || b.Calls < 400 || b.Calls-b.Over > 600 || b.Used != 100 || b.Limit != 100 {
			t.Errorf("the busiest is %+v", b)
		}
		if b := busy[1]; b.Key != UserKey(2) || b.Calls < 50 || b.Calls-b.Over > 200 || b.Used < 80 {
			t.Errorf("the second is %+v", b)
		}
		time.Sleep(time.Minute)
		if b := l.Busiest("test", 1)[0]; b.Key != UserKey(1) {
			t.Errorf("in the next window the busiest of both is %+v", b)
		}
		time.Sleep(2 * time.Minute)
		if busy := l.Busiest("test", 5); len(busy) != 0 {
			t.Errorf("long after: %+v", busy)
		}
		if busy := l.Busiest("none", 5); busy != nil {
			t.Errorf("of no limiter: %+v", busy)
		}
	})
}
