package main

import (
	"os/exec"
	"strings"
)

// compared are the modules whose versions the report names.
var compared = []string{
	"github.com/go-chi/httprate", "github.com/sethvargo/go-limiter", "github.com/ulule/limiter/v3", "github.com/throttled/throttled/v2", "golang.org/x/time",
	"github.com/go-redis/redis_rate/v10", "github.com/redis/go-redis/v9", "github.com/redis/rueidis",
}

// redisVersion is the server's version.
func redisVersion() string {
	if out, err := exec.Command("redis-server", "--version").Output(); err == nil {
		if _, rest, ok := strings.Cut(string(out), " v="); ok {
			version, _, _ := strings.Cut(rest, " ")
			return "Redis " + version
		}
	}
	return "no Redis"
}
