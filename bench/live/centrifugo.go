package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"

	"pubquiz/internal/freeport"
)

const (
	centrifugoAsItIs = "Centrifugo"
	centrifugoTuned  = "Centrifugo, small buffers"
	gorillaLoop      = "gorilla loop"
	gorillaHub       = "gorilla hub"
	coderWebsocket   = "coder/websocket"
)

// startPeers starts all peers; it returns those that it could start, also when it fails.
func startPeers(ctx context.Context, folder string) (peers []*contender, err error) {
	binary := folder + "/centrifugo"
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", binary, "github.com/centrifugal/centrifugo/v6").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	for _, start := range []func() (*contender, error){
		func() (*contender, error) { return startCentrifugo(ctx, binary, centrifugoAsItIs, "") },
		func() (*contender, error) {
			return startCentrifugo(ctx, binary, centrifugoTuned, `"websocket": {"read_buffer_size": 512, "use_write_buffer_pool": true},`)
		},
		func() (*contender, error) { return startPeer(ctx, gorillaLoop) },
		func() (*contender, error) { return startPeer(ctx, gorillaHub) },
		func() (*contender, error) { return startPeer(ctx, coderWebsocket) },
	} {
		peer, err := start()
		if err != nil {
			return peers, err
		}
		peers = append(peers, peer)
	}
	return peers, nil
}

// startCentrifugo starts Centrifugo with its default settings, but for those given and what lets anybody in.
func startCentrifugo(ctx context.Context, binary, name, settings string) (*contender, error) {
	address, err := freeport.Loopback()
	if err != nil {
		return nil, err
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	config := binary + "-" + port + ".json"
	err = os.WriteFile(config, fmt.Appendf(nil, `{
		"http_server": {"address": %q, "port": %q}, "http_api": {"insecure": true}, "log": {"level": "error"}, %s
		"client": {"insecure": true, "allowed_origins": ["*"]},
		"channel": {"without_namespace": {"allow_subscribe_for_client": true, "allow_subscribe_for_anonymous": true}},
		"debug": {"enabled": true}, "prometheus": {"enabled": true}, "health": {"enabled": true}
	}`, host, port, settings), 0o600)
	if err != nil {
		return nil, err
	}
	base := "http://" + address
	p, err := startProcess(ctx, exec.Command(binary, "--config", config), base+"/health", base)
	if err != nil {
		return nil, err
	}
	return &contender{
		name: name, process: p,
		socket: func(int) target {
			return target{url: "ws://" + address + "/connection/websocket", greet: []byte(`{"id":1,"connect":{}}` + "\n" + `{"id":2,"subscribe":{"channel":"room"}}`)}
		},
		publish: func(ctx context.Context, _ int, payload []byte) error {
			return post(ctx, base+"/api/publish", fmt.Appendf(nil, `{"channel":"room","data":%s}`, payload))
		},
	}, nil
}
