package ratelimit

import (
	"math/rand/v2"
	"net/netip"
	"sync/atomic"
	"testing"
)

func BenchmarkHotKey(b *testing.B) {
	l := newLimiters(b, Table)
	check := Global.For(AddressKey(netip.MustParseAddr("192.0.2.7")))
	ctx := b.Context()
	b.ReportAllocs()
	for b.Loop() {
		l.Allow(ctx, check)
	}
}

func BenchmarkHotKeyIPv6(b *testing.B) {
	l := newLimiters(b, Table)
	check := Global.For(AddressKey(netip.MustParseAddr("2001:db8::7")))
	ctx := b.Context()
	b.ReportAllocs()
	for b.Loop() {
		l.Allow(ctx, check)
	}
}

func BenchmarkUniformKeys(b *testing.B) {
	l := newLimiters(b, Table)
	checks := make([]Check, 49_000)
	for i := range checks {
		checks[i] = SubmitAnswer.For(PhoneKey(rand.Int64(), 0, 0))
	}
	ctx := b.Context()
	for _, check := range checks {
		l.Allow(ctx, check)
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		l.Allow(ctx, checks[i])
		if i++; i == len(checks) {
			i = 0
		}
	}
}

func BenchmarkUniformKeysParallel(b *testing.B) {
	l := newLimiters(b, Table)
	checks := make([]Check, 49_000)
	for i := range checks {
		checks[i] = SubmitAnswer.For(PhoneKey(rand.Int64(), 0, 0))
	}
	b.ReportAllocs()
	var start atomic.Int64
	b.RunParallel(func(pb *testing.PB) {
		ctx := b.Context()
		i := int(start.Add(20_000)) % len(checks)
		for pb.Next() {
			l.Allow(ctx, checks[i])
			if i++; i == len(checks) {
				i = 0
			}
		}
	})
}

func BenchmarkFlood(b *testing.B) {
	l := newLimiters(b, Table)
	ctx := b.Context()
	b.ReportAllocs()
	i := int64(0)
	for b.Loop() {
		l.Allow(ctx, SubmitAnswer.For(PhoneKey(i, 0, 0)))
		i++
	}
}
