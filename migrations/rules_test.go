package migrations

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// ruledFrom is the first step that the rules hold for. Those before were taken when nobody had an evening on.
const ruledFrom = "000044"

// large are the tables that grow with every evening: whatever looks at all their rows keeps answers waiting.
var large = []string{"answers", "participants", "session_questions", "session_log", "members", "jokers", "adjustments", "markings", "media_pieces"}

// contracts marks a step that takes away what no running version uses any more. docs/decisions/migrations.md says when that is.
const contracts = "-- Contract: "

// rule is what a statement about a table of before may not do.
type rule struct {
	breaks    *regexp.Regexp
	onlyLarge bool // it is quick on the other tables
	contract  bool // a step that contracts may
	because   string
}

var (
	anyTable    = `^ALTER TABLE (?:ONLY )?(?:IF EXISTS )?\w+ .*\b`
	constraints = regexp.MustCompile(`\bADD (?:CONSTRAINT \w+ )?(?:CHECK|FOREIGN KEY)\b`)
	adds        = regexp.MustCompile(`\bADD (?:COLUMN )?(?:IF NOT EXISTS )?(\w+) [^,]*`)
	drops       = regexp.MustCompile(`\bDROP (\w+)`)

	rules = []rule{
		{breaks: regexp.MustCompile(anyTable + `RENAME\b`), because: "instances of the version before know the old name"},
		{breaks: regexp.MustCompile(`^DROP TABLE\b`), contract: true, because: "instances of the version before use the table"},
		{breaks: regexp.MustCompile(anyTable + `SET NOT NULL\b`), contract: true, because: "instances of the version before write nulls"},
		{breaks: regexp.MustCompile(anyTable + `DROP DEFAULT\b`), contract: true, because: "instances of the version before write rows without the column"},
		{breaks: regexp.MustCompile(anyTable + `(?:SET DATA )?TYPE \w`), because: "it writes the whole table anew, and instances of the version before read the old type"},
		{breaks: regexp.MustCompile(anyTable + `(?:IDENTITY|STORED|SERIAL|BIGSERIAL)\b`), onlyLarge: true, because: "it writes the whole table anew"},
		{breaks: regexp.MustCompile(anyTable + `DEFAULT (?:\w+\.)?\w*(?:random|uuid|clock_timestamp|nextval)\w*\(`), onlyLarge: true, because: "a default that differs for each row writes the whole table anew"},
		{breaks: regexp.MustCompile(anyTable + `ADD (?:CONSTRAINT \w+ )?(?:UNIQUE|PRIMARY KEY) ?\(`), onlyLarge: true, because: "it builds an index while all writing waits: build it CONCURRENTLY in a step of its own, and add the constraint USING INDEX"},
		{breaks: regexp.MustCompile(`^(?:UPDATE|DELETE FROM)\b`), onlyLarge: true, because: "it locks and writes every row at once: let the server fill it in bit by bit"},
		{breaks: regexp.MustCompile(`^(?:LOCK|TRUNCATE|CLUSTER|VACUUM FULL|REINDEX)\b`), because: "everything waits until it is done"},
	}

	comment   = regexp.MustCompile(`(?m)--.*$`)
	space     = regexp.MustCompile(`\s+`)
	literal   = regexp.MustCompile(`'(?:[^']|'')*'`)
	made      = regexp.MustCompile(`^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?"?(\w+)`)
	about     = regexp.MustCompile(`^(?:ALTER TABLE (?:ONLY )?(?:IF EXISTS )?|DROP TABLE (?:IF EXISTS )?|UPDATE (?:ONLY )?|DELETE FROM (?:ONLY )?|LOCK (?:TABLE )?|TRUNCATE (?:TABLE )?|CLUSTER |VACUUM FULL |REINDEX TABLE )"?(\w+)`)
	indexed   = regexp.MustCompile(`^CREATE (?:UNIQUE )?INDEX (CONCURRENTLY )?(?:IF NOT EXISTS )?(?:\w+ )?ON (?:ONLY )?"?(\w+)`)
	validates = regexp.MustCompile(`^ALTER TABLE (\w+) .*\bVALIDATE CONSTRAINT\b`)
)

// broken lists the rules that a step breaks, as sentences.
func broken(step string) (found []string) {
	contract := strings.HasPrefix(step, contracts)
	statements := strings.Split(space.ReplaceAllString(literal.ReplaceAllString(comment.ReplaceAllString(step, ""), "''"), " "), ";")
	statements = slices.DeleteFunc(statements, func(s string) bool { return strings.TrimSpace(s) == "" })
	fresh := map[string]bool{} // tables that the step makes
	for _, statement := range statements {
		statement = strings.TrimSpace(statement)
		report := func(because string) { found = append(found, statement+": "+because) }
		if m := made.FindStringSubmatch(statement); m != nil {
			fresh[m[1]] = true
			continue
		}
		if m := indexed.FindStringSubmatch(statement); m != nil && !fresh[m[2]] {
			switch {
			case m[1] == "" && slices.Contains(large, m[2]):
				report("all writing to the table waits for it: build it CONCURRENTLY")
			case m[1] != "" && len(statements) > 1:
				report("CONCURRENTLY works only in a step of its own")
			}
			continue
		}
		m := about.FindStringSubmatch(statement)
		if m == nil || fresh[m[1]] {
			continue
		}
		isLarge := slices.Contains(large, m[1])
		for _, r := range rules {
			if r.breaks.MatchString(statement) && (isLarge || !r.onlyLarge) && !(contract && r.contract) {
				report(r.because)
			}
		}
		for _, dropped := range drops.FindAllStringSubmatch(statement, -1) {
			if strings.HasPrefix(statement, "ALTER") && !contract && !slices.Contains([]string{"NOT", "DEFAULT", "EXPRESSION"}, dropped[1]) {
				report("instances of the version before use the column, or rely on the constraint")
			}
		}
		for _, added := range adds.FindAllStringSubmatch(statement, -1) {
			isColumn := !slices.Contains([]string{"CONSTRAINT", "CHECK", "FOREIGN", "UNIQUE", "PRIMARY"}, added[1])
			if isColumn && strings.Contains(added[0], "NOT NULL") && !strings.Contains(added[0], "DEFAULT") && !strings.Contains(added[0], "GENERATED") {
				report("instances of the version before write rows without the column: it needs a default")
			}
		}
		if isLarge && constraints.MatchString(statement) && !strings.Contains(statement, "NOT VALID") {
			report("it looks at every row while all wait: add it NOT VALID, and validate it in a later step")
		}
		if v := validates.FindStringSubmatch(statement); v != nil && strings.Contains(step, "NOT VALID") {
			report("the lock of adding the constraint lasts to the end of the step: validate it in a later one")
		}
	}
	return found
}

// TestStepsKeepTheRules: each step works beside instances of the version before, and lets an evening go on.
func TestStepsKeepTheRules(t *testing.T) {
	steps, err := fs.Glob(FS, "*.up.sql")
	if err != nil {
		t.Fatal(err)
	}
	ruled := 0
	for _, name := range steps {
		text, err := fs.ReadFile(FS, name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := fs.ReadFile(FS, strings.Replace(name, ".up.", ".down.", 1)); err != nil {
			t.Errorf("%s has no way back: %v", name, err)
		}
		if name < ruledFrom {
			continue
		}
		ruled++
		for _, breach := range broken(string(text)) {
			t.Errorf("%s: %s", name, breach)
		}
	}
	if ruled == 0 {
		t.Error("the rules hold for no step")
	}
}

func TestRulesAreEnforced(t *testing.T) {
	for _, test := range []struct {
		step string
		want string // part of what is said; empty for nothing
	}{
		{`ALTER TABLE users ADD COLUMN nickname text;`, ""},
		{`ALTER TABLE users ADD COLUMN nickname text NOT NULL DEFAULT '';`, ""},
		{`ALTER TABLE users ADD COLUMN nickname text NOT NULL;`, "needs a default"},
		{`ALTER TABLE users ADD COLUMN a text DEFAULT 'x', ADD COLUMN b text NOT NULL;`, "needs a default"},
		{`ALTER TABLE users RENAME COLUMN name TO nickname;`, "old name"},
		{`ALTER TABLE users RENAME TO hosts;`, "old name"},
		{`ALTER TABLE users DROP COLUMN name;`, "use the column"},
		{`ALTER TABLE users DROP name;`, "use the column"},
		{`ALTER TABLE users ALTER COLUMN name DROP NOT NULL;`, ""},
		{`ALTER TABLE users ALTER COLUMN name DROP DEFAULT;`, "without the column"},
		{`ALTER TABLE users ADD CONSTRAINT c CHECK (name IS NOT NULL);`, ""},
		{`ALTER TABLE users DROP CONSTRAINT ck_users_name;`, "rely on the constraint"},
		{"-- Contract: 000044 stopped writing it.\nALTER TABLE users DROP COLUMN name;", ""},
		{"-- Contract: 000044 stopped writing it.\nALTER TABLE users RENAME COLUMN name TO nickname;", "old name"},
		{`DROP TABLE notepads;`, "use the table"},
		{`ALTER TABLE users ALTER COLUMN name SET NOT NULL;`, "write nulls"},
		{`ALTER TABLE users ALTER COLUMN name TYPE varchar(9);`, "anew"},
		{`ALTER TABLE answers ADD COLUMN number bigint GENERATED ALWAYS AS IDENTITY;`, "anew"},
		{`ALTER TABLE users ADD COLUMN number bigint GENERATED ALWAYS AS IDENTITY;`, ""},
		{`ALTER TABLE answers ADD COLUMN token uuid DEFAULT gen_random_uuid();`, "anew"},
		{`ALTER TABLE answers ADD COLUMN at timestamptz DEFAULT now();`, ""},
		{`ALTER TABLE answers ADD CONSTRAINT ck_answers_stake CHECK (stake < 9);`, "NOT VALID"},
		{`ALTER TABLE answers ADD CONSTRAINT ck_answers_stake CHECK (stake < 9) NOT VALID;`, ""},
		{`ALTER TABLE answers ADD CONSTRAINT c CHECK (stake < 9) NOT VALID; ALTER TABLE answers VALIDATE CONSTRAINT c;`, "later one"},
		{`ALTER TABLE answers VALIDATE CONSTRAINT c;`, ""},
		{`ALTER TABLE answers ADD CONSTRAINT u UNIQUE (answer_id);`, "USING INDEX"},
		{`ALTER TABLE answers ADD CONSTRAINT u UNIQUE USING INDEX u;`, ""},
		{`CREATE INDEX ix_answers_at ON answers (answered_at);`, "CONCURRENTLY"},
		{`CREATE INDEX CONCURRENTLY ix_answers_at ON answers (answered_at);`, ""},
		{`CREATE INDEX CONCURRENTLY ix_answers_at ON answers (answered_at); SELECT 1;`, "of its own"},
		{`CREATE INDEX ix_users_name ON users (name);`, ""},
		{`CREATE TABLE rows (a int); CREATE INDEX ix_rows_a ON rows (a); ALTER TABLE rows DROP COLUMN a;`, ""},
		{`UPDATE answers SET stake = 0;`, "bit by bit"},
		{`UPDATE epoch SET epoch = 'x';`, ""},
		{`LOCK TABLE users;`, "waits"},
		{"-- DROP TABLE users;\nALTER TABLE users ADD COLUMN said text DEFAULT 'DROP TABLE users; RENAME';", ""},
	} {
		found := strings.Join(broken(test.step), "\n")
		if test.want == "" && found != "" || !strings.Contains(found, test.want) {
			t.Errorf("%s\nis found to break %q, want %q", test.step, found, test.want)
		}
	}
}
