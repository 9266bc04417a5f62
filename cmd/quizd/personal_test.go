package main

import (
	"regexp"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"pubquiz/internal/dbtest"
)

// personalTables are those that belong to an account or to a participant, with where the account's export has what they hold; in brackets, why it does not.
var personalTables = map[string]string{
	"users":               "account.json",
	"user_sessions":       "account.json",
	"user_identities":     "account.json",
	"user_passkeys":       "account.json",
	"user_totp":           "account.json",
	"user_links":          "(a secret that lasts minutes)",
	"user_recovery_codes": "(hashes of secrets)",
	"quizzes":             "quizzes/",
	"media_owners":        "media/",
	"pub_looks":           "look.json",
	"pub_pictures":        "look.json",
	"sessions":            "sessions/",
	"session_questions":   "sessions/",
	"session_log":         "sessions/",
	"participants":        "sessions/",
	"answers":             "sessions/",
	"markings":            "sessions/",
	"adjustments":         "sessions/",
	"jokers":              "sessions/",
	"members":             "sessions/, as a number of phones",
	"notepads":            "sessions/",
	"cohosts":             "cohosted.json",
	"cohost_links":        "(a hash of a secret)",
	"rejoin_codes":        "(hashes of secrets that last minutes)",
	"stripe_customers":    "plan.json",
	"subscriptions":       "plan.json",
	"checkouts":           "(a page at Stripe that is paid or not)",
	"plan_hosts":          "plan.json",
	"plan_invitations":    "plan.json",
}

// keptTables outlive whom they point at, and then point at nobody.
var keptTables = map[string]string{
	"sessions.quiz_id":         "a session has a copy of its quiz",
	"session_log.actor_id":     "a co-host's steps are a part of the owner's session",
	"adjustments.actor_id":     "likewise",
	"stripe_customers.user_id": "until the customer is closed at Stripe, too",
	"subscriptions.user_id":    "until it is ended at Stripe",
}

// strangeColumns hold what could be about somebody, in tables that belong to nobody.
var strangeColumns = map[string]string{
	"mail_outbox.recipient": "until the letter was sent; one that could not be sent for 30 days",
	"mail_outbox.letter":    "sealed, and likewise",
}

// TestPersonalDataAreCovered walks from accounts and participants along every foreign key. What is reached goes with them, is a part of the export or has a reason not to be, and is listed above: a new table is in neither list until somebody has thought of it.
func TestPersonalDataAreCovered(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	type reference struct {
		Table, Column, To string
		OnDelete          string // c: it goes, too; n: it points at nobody; a, r: it is in the way
	}
	rows, err := pool.Query(t.Context(), `
		SELECT c.conrelid::regclass::text, a.attname::text, c.confrelid::regclass::text, c.confdeltype::text
		FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[cardinality(c.conkey)] WHERE c.contype = 'f'`)
	if err != nil {
		t.Fatal(err)
	}
	references, err := pgx.CollectRows(rows, pgx.RowToStructByPos[reference])
	if err != nil {
		t.Fatal(err)
	}
	reached, kept := map[string]bool{"users": true, "participants": true}, map[string]bool{}
	for grown := true; grown; {
		grown = false
		for _, r := range references {
			if reached[r.To] && !reached[r.Table] {
				reached[r.Table], grown = true, true
			}
		}
	}
	for _, r := range references {
		if !reached[r.To] {
			continue
		}
		at := r.Table + "." + r.Column
		switch {
		case r.OnDelete == "n":
			kept[at] = true
			if keptTables[at] == "" {
				t.Errorf("%s stays when what it points at goes: say in keptTables why, and until when", at)
			}
		case r.OnDelete != "c" && r.To != "media_owners": // whose rows go only when nothing shows them
			t.Errorf("%s keeps a row of %s from being deleted", at, r.To)
		}
	}
	for table := range reached {
		if personalTables[table] == "" {
			t.Errorf("%s belongs to an account or a participant: add it to personalTables, and to the account's export or a reason why not", table)
		}
	}
	for table := range personalTables {
		if !reached[table] {
			t.Errorf("%s is listed, and belongs to nobody", table)
		}
	}
	for at := range keptTables {
		if !kept[at] {
			t.Errorf("%s is listed, and goes with what it points at", at)
		}
	}

	columns, err := pool.Query(t.Context(), `SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'public'`)
	if err != nil {
		t.Fatal(err)
	}
	all, err := pgx.CollectRows(columns, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`^(\w+)\.\w*(name|mail|recipient|address|agent|phone|given|letter)\w*$`)
	for _, column := range all {
		if m := named.FindStringSubmatch(column); m != nil && !reached[m[1]] && strangeColumns[column] == "" {
			t.Errorf("%s could be about somebody, and its table belongs to nobody", column)
		}
	}
	for column := range strangeColumns {
		if !slices.Contains(all, column) {
			t.Errorf("%s is listed, and not there", column)
		}
	}
	if len(reached) < 20 {
		t.Errorf("only %d tables were reached", len(reached))
	}
}
