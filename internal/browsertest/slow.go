package browsertest

import (
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/memory"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
)

// SlowDown makes the device a cheap one that is far from its mast: its processor four times slower than this machine's, its network what
// developer tools call slow 4G.
func (p *Page) SlowDown() {
	p.t.Helper()
	call(p, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: 4})
	call(p, network.Enable, network.EnableParams{})
	call(p, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
		MatchedNetworkConditions: []*network.Conditions{{Latency: 562.5, DownloadThroughput: 1_440_000 / 8, UploadThroughput: 675_000 / 8}},
	})
}

// Lose lets nothing from these paths through, such as "/media/*", and everything else again.
func (p *Page) Lose(paths ...string) {
	p.t.Helper()
	p.Tolerate("net::ERR_BLOCKED_BY_CLIENT")
	lost := []*network.BlockPattern{}
	for _, path := range paths {
		lost = append(lost, &network.BlockPattern{URLPattern: "*://*:*" + path, Block: true})
	}
	call(p, network.Enable, network.EnableParams{})
	call(p, network.SetBlockedURLs, network.SetBlockedURLsParams{URLPatterns: lost})
}

// Memory is what a page takes, after everything that it no longer uses is gone.
type Memory struct {
	Heap             float64 // bytes, of scripts
	Nodes, Listeners int64
}

// Memory measures the page.
func (p *Page) Memory() Memory {
	p.t.Helper()
	call(p, heapprofiler.CollectGarbage, cdp.Empty{})
	heap := call(p, runtime.GetHeapUsage, cdp.Empty{})
	counters := call(p, memory.GetDOMCounters, cdp.Empty{})
	return Memory{heap.UsedSize, counters.Nodes, counters.JsEventListeners}
}
