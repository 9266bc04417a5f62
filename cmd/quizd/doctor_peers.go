package main

import (
	"context"
	"fmt"
	"syscall"

	"pubquiz/billing"
	"pubquiz/internal/mail"
	"pubquiz/internal/openid"
	"pubquiz/ratelimit/redis"
)

func (c config) checkRedis(ctx context.Context) []finding {
	const about = "redis"
	if err := redis.Check(ctx, string(c.RedisURL), "quizd:"); err != nil {
		return []finding{{about, wrongLevel, fmt.Sprintf("%v cannot be used: %v", c.RedisURL, err), "start it, correct REDIS_URL, or take that out where there is one instance only"}}
	}
	return []finding{{about, fineLevel, "it counts for the limits", ""}}
}

func (c config) checkMail(ctx context.Context) []finding {
	const about = "mail"
	server, ok := c.letters.(*mail.SMTP)
	if !ok {
		return nil
	}
	if err := server.Check(ctx); err != nil {
		return []finding{{about, wrongLevel, "the mail server cannot be used: " + err.Error(), "correct SMTP_URL: its host and port, whether it is smtps or smtp, its user and password"}}
	}
	return []finding{{about, fineLevel, "the mail server lets us in; no letter was sent", ""}}
}

func (c config) checkStripe(ctx context.Context) []finding {
	const about = "stripe"
	plans, err := billing.New(nil, nil, *c.sold)
	if err != nil {
		return []finding{{about, wrongLevel, err.Error(), "docs/billing.md says what is needed"}}
	}
	problems, err := plans.Check(ctx)
	var found []finding
	for _, problem := range problems {
		found = append(found, finding{about, wrongLevel, problem, "docs/billing.md says how it must be at Stripe"})
	}
	if err != nil {
		found = append(found, finding{about, wrongLevel, err.Error(), "see whether STRIPE_SECRET_KEY is a key of the right account, and whether this machine reaches Stripe"})
	}
	if found == nil {
		found = []finding{{about, fineLevel, "the key works, every price is as configured, and events come to the endpoint", ""}}
	}
	return found
}

func checkProvider(ctx context.Context, p *openid.Provider) []finding {
	about := "sign-in: " + p.Name
	if err := p.Check(ctx); err != nil {
		return []finding{{about, wrongLevel, err.Error(), "correct its ISSUER, or see why the provider does not answer; hosts with a password are not held up"}}
	}
	return []finding{{about, fineLevel, "it says where to sign in", ""}}
}

const (
	fewFiles    = 4096 // phones take a connection each
	tooFewFiles = 1024
)

// checkFiles looks at how many connections and files this user's processes may have. A server has the same limit only where it is started in the same way.
func checkFiles(context.Context) []finding {
	const about = "files"
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return []finding{{about, lookLevel, "the limit of open files cannot be read: " + err.Error(), ""}}
	}
	f := finding{about, fineLevel, fmt.Sprintf("%d may be open here, and every phone is one", limit.Cur), ""}
	const raise = "raise it: ulimit -n 65536 in a shell, LimitNOFILE=65536 for systemd, ulimits for compose"
	switch {
	case limit.Cur < tooFewFiles:
		f.Is, f.Do = wrongLevel, raise
	case limit.Cur < fewFiles:
		f.Is, f.Do = lookLevel, raise
	}
	return []finding{f}
}
