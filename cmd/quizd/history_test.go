package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"pubquiz/internal/dbtest"
	"pubquiz/internal/history"
	"pubquiz/internal/redistest"
	"pubquiz/quiz"
)

var (
	faultsWanted = flag.Int("faults", 8, "TestHistory: how many things break")
	historySeed  = flag.Uint64("seed", 0, "TestHistory: the same seed breaks the same things and sends the same answers; 0 draws one")
)

// TestHistory plays a quiz on two servers while everything breaks that can, and then holds what every phone was told against what is stored.
func TestHistory(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a while")
	}
	t.Parallel()
	seed := *historySeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("-seed=%d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	redis := redistest.Start(t)
	toRedis := newProxy(t, "unix", filepath.Join(dbtest.Folder(t), "redis"), "unix", strings.TrimPrefix(redis.URL, "unix://"))
	c := newCluster(t, 2, environment{"REDIS_URL": "unix://" + toRedis.listener.Addr().String()})
	// A fault takes about half a second, a question about one.
	content, closes := manyQuestions(max(4, *faultsWanted*2/3), random)
	h := &history.History{}
	host, err := openSession(t.Context(), c, content, h, rand.New(rand.NewPCG(seed, 1<<34)))
	if err != nil {
		t.Fatal(err)
	}
	host.closes = closes
	var phones []*phone
	for n := range 40 {
		p, err := host.seat(t.Context(), fmt.Sprintf("Table %d", n+1), rand.New(rand.NewPCG(seed, uint64(n+1))))
		if err != nil {
			t.Fatal(err)
		}
		phones = append(phones, p)
	}

	following, leave := context.WithCancel(t.Context())
	var screens sync.WaitGroup
	defer screens.Wait()
	defer leave()
	screens.Go(func() { host.follow(following) })
	television := host.television(rand.New(rand.NewPCG(seed, 1<<33)))
	screens.Go(func() { television.follow(following) })
	for _, p := range phones {
		screens.Go(func() { p.follow(following) })
	}
	breaking, enough := context.WithCancel(t.Context())
	var faults sync.WaitGroup
	faults.Go(func() {
		breakThings(breaking, c, redis, toRedis, *faultsWanted, rand.New(rand.NewPCG(seed, 1<<32)), t.Logf)
	})
	driving, cancel := context.WithTimeout(t.Context(), time.Duration(*faultsWanted)*5*time.Second+time.Minute)
	defer cancel()
	err = host.drive(driving, random)
	enough()
	faults.Wait()
	if err != nil {
		t.Fatal(err)
	}

	// Everything has to come back by itself: every phone sees the end, and gets an outcome for what it still sends.
	settling, cancel := context.WithTimeout(t.Context(), ampleTime)
	defer cancel()
	all := []*screen{&host.screen, television}
	for _, p := range phones {
		all = append(all, &p.screen)
	}
	for _, s := range all {
		if !s.await(settling, "finished") {
			t.Errorf("%s never saw the end, but version %d, %s", s.name, s.now().Version, s.now().Phase)
		}
	}
	for _, p := range phones {
		p.answering.Wait()
	}
	stored, err := host.stored(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	found := h.Check(stored, answerGrace)
	for _, violation := range found {
		t.Error(violation)
	}
	t.Logf("%d answers stored of %d questions, %d snapshots seen, sendings by outcome %v, %d violations",
		len(stored.Answers), len(stored.Questions), h.Sights(), h.Outcomes(), len(found))
}

// manyQuestions makes a quiz, and says how long after its opening the host closes each question; every seventh is left to the clock.
func manyQuestions(n int, random *rand.Rand) (quiz.Content, map[string]time.Duration) {
	const perRound = 9
	content := quiz.Content{Title: "A Stormy Night"}
	closes := map[string]time.Duration{}
	for i := range n {
		if i%perRound == 0 {
			content.Rounds = append(content.Rounds, quiz.Round{Title: fmt.Sprintf("Round %d", i/perRound+1)})
		}
		r := &content.Rounds[len(content.Rounds)-1]
		r.Questions = append(r.Questions, quiz.Question{
			Kind: quiz.Single, Text: fmt.Sprintf("Question %d?", i+1), Options: []string{"one", "two", "three", "four"},
			Correct: []int{random.IntN(4)}, Seconds: 5, Points: 2,
		})
		if i%7 != 3 {
			closes[fmt.Sprintf("%d.%d", len(content.Rounds), len(r.Questions))] = time.Duration(200+random.IntN(1000)) * time.Millisecond
		}
	}
	return content, closes
}

// breakThings has n things break, one after the other, until ctx ends. When it returns, everything runs again.
func breakThings(ctx context.Context, c *cluster, redis *redistest.Server, toRedis *proxy, n int, random *rand.Rand, log func(string, ...any)) {
	var repairs sync.WaitGroup
	defer repairs.Wait()
	for i := 0; i < n && pause(ctx, time.Duration(100+random.IntN(500))*time.Millisecond); i++ {
		in := c.members[random.IntN(len(c.members))]
		moment := time.Duration(50+random.IntN(1000)) * time.Millisecond
		faults := []struct {
			name string
			run  func()
		}{
			{"a server is killed", func() {
				in.kill()
				repairs.Go(func() { pause(ctx, moment); in.restart(context.WithoutCancel(ctx)) })
			}},
			{"a server stops in order", func() {
				ended := in.signal(syscall.SIGTERM)
				repairs.Go(func() { <-ended; in.restart(context.WithoutCancel(ctx)) })
			}},
			{"a server freezes", func() {
				in.signal(syscall.SIGSTOP)
				pause(ctx, moment)
				in.signal(syscall.SIGCONT)
			}},
			{"phones lose their connections", func() { in.phones.cut(random, 0.5) }},
			{"the network before a server hangs", func() {
				goOn := in.phones.stall()
				pause(ctx, moment)
				goOn()
			}},
			{"a server loses its database connections", func() { in.database.cut(random, 0.7) }},
			{"the network behind a server hangs", func() {
				goOn := in.database.stall()
				pause(ctx, moment)
				goOn()
			}},
			{"Postgres ends connections", func() { c.terminateBackends(context.WithoutCancel(ctx), 0.5) }},
			{"Postgres restarts", func() { c.restartDatabase(syscall.SIGINT) }},
			{"Postgres crashes", func() { c.restartDatabase(syscall.SIGQUIT) }},
			{"Postgres stands still", func() {
				goOn := c.pauseDatabase()
				pause(ctx, moment)
				goOn()
			}},
			{"Redis is killed", func() {
				redis.Kill()
				pause(ctx, moment)
				redis.Restart()
			}},
			{"Redis stands still", func() {
				redis.Signal(syscall.SIGSTOP)
				pause(ctx, moment)
				redis.Signal(syscall.SIGCONT)
			}},
			{"servers lose their connections to Redis", func() { toRedis.cut(random, 0.7) }},
		}
		fault := faults[random.IntN(len(faults))]
		log("%3d %s", i+1, fault.name)
		fault.run()
	}
}
