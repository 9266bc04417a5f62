package web

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"pubquiz/web/openapi"
)

// description is the API's, made strict: clients are to pass over members that they do not know, but the server must send none that is not described.
type description struct {
	router   routers.Router
	problems map[string]describedProblem // by slug

	mu       sync.Mutex
	compiler *jsonschema.Compiler // of the whole document: the validator of requests and answers would compile a schema each time that it is used

	found sync.Map // what was as it is described, by its hash: tests of limits say the same a thousand times
}

// describedProblem is one of the document's x-problems.
type describedProblem struct {
	Slug        string
	Status      []int
	Titles      []string
	Description string
	Anywhere    bool // any operation may be answered with it
}

const documentName = "openapi.json"

var described = sync.OnceValues(func() (*description, error) {
	var raw map[string]any
	if err := json.Unmarshal(openapi.JSON, &raw); err != nil {
		return nil, err
	}
	closeObjects(raw)
	strict, err := json.Marshal(raw)
	if err != nil {
		return nil, err
	}
	doc, err := openapi3.NewLoader().LoadFromData(strict)
	if err != nil {
		return nil, err
	}
	d := &description{problems: map[string]describedProblem{}, compiler: jsonschema.NewCompiler()}
	d.compiler.AssertFormat()
	if err := d.compiler.AddResource(documentName, raw); err != nil {
		return nil, err
	}
	doc.Servers = nil // the addresses are all on the site under test
	if d.router, err = legacy.NewRouter(doc); err != nil {
		return nil, err
	}
	var listed struct {
		Problems []describedProblem `json:"x-problems"`
	}
	if err := json.Unmarshal(openapi.JSON, &listed); err != nil {
		return nil, err
	}
	for _, p := range listed.Problems {
		d.problems[p.Slug] = p
	}
	return d, nil
})

// closeObjects lets every object whose members are described have no others.
func closeObjects(node any) {
	switch node := node.(type) {
	case map[string]any:
		if _, members := node["properties"]; members && node["type"] == "object" {
			node["additionalProperties"] = false
		}
		for _, inner := range node {
			closeObjects(inner)
		}
	case []any:
		for _, inner := range node {
			closeObjects(inner)
		}
	}
}

// undescribed tells what of a request that was carried out, and of the answer to any, is not as the document has it. Every test's traffic comes through here.
func undescribed(req *http.Request, r reply) error {
	if !strings.HasPrefix(req.URL.Path, "/api/") || req.Method == http.MethodHead {
		return nil
	}
	api, err := described()
	if err != nil {
		return err
	}
	route, params, err := api.router.FindRoute(req)
	switch {
	case err != nil && r.status >= http.StatusBadRequest:
		return nil // there is nothing there, and nothing is described
	case err != nil:
		return fmt.Errorf("answered with %d: %w", r.status, err)
	}
	asked, err := jsonSent(req)
	if err != nil {
		return err
	}
	unnamed := strings.ReplaceAll(r.body, r.header.Get(requestIDHeader), "") // which differs each time
	exchange := sha256.Sum256([]byte(strings.Join([]string{req.Method, req.URL.RequestURI(), asked, strconv.Itoa(r.status), r.header.Get("Content-Type"), unnamed}, "\x00")))
	if _, found := api.found.Load(exchange); found {
		return nil
	}
	if err := api.check(req, asked, r, route, params); err != nil {
		return err
	}
	api.found.Store(exchange, true)
	return nil
}

// jsonSent is the JSON body of a request that was sent; empty where there was none.
func jsonSent(req *http.Request) (string, error) {
	if req.GetBody == nil || !strings.HasPrefix(req.Header.Get("Content-Type"), "application/json") {
		return "", nil
	}
	body, err := req.GetBody()
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(body)
	return string(text), err
}

func (d *description) check(req *http.Request, asked string, r reply, route *routers.Route, params map[string]string) error {
	isJSON := strings.HasSuffix(r.header.Get("Content-Type"), "json")
	options := &openapi3filter.Options{
		AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true, ExcludeRequestBody: true, ExcludeResponseBody: isJSON,
	}
	in := &openapi3filter.RequestValidationInput{Request: req, PathParams: params, Route: route, Options: options}
	if r.status < http.StatusMultipleChoices && asked != "" {
		if err := openapi3filter.ValidateRequest(req.Context(), in); err != nil {
			return fmt.Errorf("it was carried out: %w", err)
		}
		if route.Operation.RequestBody != nil {
			if err := d.fits(asked, operationAt(route)+"/requestBody/content/application~1json/schema"); err != nil {
				return fmt.Errorf("it was carried out: %w", err)
			}
		}
	}
	out := &openapi3filter.ResponseValidationInput{RequestValidationInput: in, Status: r.status, Header: r.header, Body: io.NopCloser(strings.NewReader(r.body)), Options: options}
	if err := openapi3filter.ValidateResponse(req.Context(), out); err != nil {
		return fmt.Errorf("the answer %d: %w", r.status, err)
	}
	if isJSON {
		if err := d.fits(r.body, answerAt(route, r)); err != nil {
			return fmt.Errorf("the answer %d: %w", r.status, err)
		}
	}
	if r.status < http.StatusBadRequest {
		return nil
	}
	return d.unlisted(route.Operation, r)
}

// operationAt is where in the document an operation is.
func operationAt(route *routers.Route) string {
	return "/paths/" + escapePointer(route.Path) + "/" + strings.ToLower(route.Method)
}

// answerAt is where in the document the schema of an answer's body is.
func answerAt(route *routers.Route, r reply) string {
	status := strconv.Itoa(r.status)
	response := route.Operation.Responses.Value(status)
	if response == nil {
		status, response = "default", route.Operation.Responses.Default()
	}
	at := strings.TrimPrefix(response.Ref, "#")
	if at == "" {
		at = operationAt(route) + "/responses/" + status
	}
	return at + "/content/" + escapePointer(r.header.Get("Content-Type")) + "/schema"
}

// escapePointer is RFC 6901's.
func escapePointer(name string) string {
	return url.PathEscape(strings.NewReplacer("~", "~0", "/", "~1").Replace(name))
}

// fits tells what of a JSON text is not as the schema has it that is at a place in the document.
func (d *description) fits(text, at string) error {
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	d.mu.Lock()
	schema, err := d.compiler.Compile(documentName + "#" + at) // which it keeps
	d.mu.Unlock()
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

// undescribedMessage tells what of a message that a socket has brought is not as the document has it.
func undescribedMessage(message []byte) error {
	api, err := described()
	if err != nil {
		return err
	}
	return api.fits(string(message), "/components/schemas/SocketMessage")
}

// unlisted tells if a problem is not among those that its operation may be answered with.
func (d *description) unlisted(operation *openapi3.Operation, r reply) error {
	var told struct{ Type string }
	if err := json.Unmarshal([]byte(r.body), &told); err != nil {
		return err
	}
	slug := strings.TrimPrefix(told.Type, "/problems/")
	if told.Type == quotaExceeded {
		slug = "quota-exceeded"
	}
	listed, known := d.problems[slug]
	own, _ := operation.Extensions["x-problems"].([]any)
	switch {
	case !known || !slices.Contains(listed.Status, r.status):
		return fmt.Errorf("the problem %q with %d is not listed", slug, r.status)
	case !listed.Anywhere && !slices.Contains(own, any(slug)):
		return fmt.Errorf("the problem %q is not among those of the operation", slug)
	}
	return nil
}

// TestWhatIsNotDescribedIsFound lies about real traffic in every way.
func TestWhatIsNotDescribedIsFound(t *testing.T) {
	s := newSite(t)
	l := s.open(s.host("host@quiz.example"))
	honest := l.joins(l.browser(), "Alice")
	joined := func(body string, change func(r *reply)) (*http.Request, reply) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/api/v1/join/"+l.code, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		r := honest
		r.header = r.header.Clone()
		change(&r)
		return req, r
	}
	problem := func(status int, body string) func(r *reply) {
		return func(r *reply) {
			r.status, r.body = status, body
			r.header.Set("Content-Type", "application/problem+json")
		}
	}
	const asked = `{"name":"Alice","attempt":"Alice-0123456789abcdef"}`
	for _, lie := range []struct {
		name, body string
		change     func(r *reply)
		found      string // "" where it is the truth
	}{
		{"the truth", asked, func(*reply) {}, ""},
		{"another member asked for", `{"name":"Alice","attempt":"Alice-0123456789abcdef","age":7}`, func(*reply) {}, "age"},
		{"a wrong value asked for", `{"name":7}`, func(*reply) {}, "name"},
		{"a member more", asked, func(r *reply) { r.body = strings.Replace(r.body, "{", `{"secret":1,`, 1) }, "secret"},
		{"a member less", asked, func(r *reply) { r.body = strings.Replace(r.body, `"token"`, `"tocken"`, 1) }, "token"},
		{"another status", asked, func(r *reply) { r.status = http.StatusAccepted }, "202"},
		{"another type", asked, func(r *reply) { r.header.Set("Content-Type", "text/html") }, "Content-Type"},
		{"a problem of the operation", asked, problem(404, `{"type":"/problems/unknown-code","title":"t","status":404,"detail":"d"}`), ""},
		{"a problem of any", asked, problem(429, `{"type":"`+quotaExceeded+`","title":"t","status":429,"detail":"d","retryAfter":1}`), ""},
		{"a problem of another operation", asked, problem(409, `{"type":"/problems/too-late","title":"t","status":409,"detail":"d"}`), "too-late"},
		{"a problem with another status", asked, problem(410, `{"type":"/problems/unknown-code","title":"t","status":410,"detail":"d"}`), "410"},
		{"a problem of no name", asked, problem(404, `{"type":"about:blank","title":"t","status":404,"detail":"d"}`), "about:blank"},
	} {
		err := undescribed(joined(lie.body, lie.change))
		if lie.found == "" && err != nil || lie.found != "" && (err == nil || !strings.Contains(err.Error(), lie.found)) {
			t.Errorf("%s: %v", lie.name, err)
		}
	}
	for message, found := range map[string]bool{
		`{"v":1,"epoch":"e","now":1}`: false, `{"v":1,"epoch":"e","now":1,"secret":1}`: true, `{"outcome":{"id":"a","question":"1.1","outcome":"accepted"}}`: false,
		`{"outcome":{"id":"a","question":"1.1","outcome":"perhaps"}}`: true, `{"live":{"joined":1,"connected":1,"answered":1,"secret":1}}`: true, `{"personal":{}}`: true,
	} {
		if err := undescribedMessage([]byte(message)); (err != nil) != found {
			t.Errorf("%s: %v", message, err)
		}
	}
}
