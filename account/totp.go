package account

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/pquerna/otp"
	"github.com/pquerna/otp/totp"

	"pubquiz/internal/postgres"
)

// TwoStepState is whether an account asks for a code, and since when.
type TwoStepState struct {
	On            bool
	EnabledAt     time.Time
	RecoveryCodes int // that are left
}

// ErrAlreadyOn refuses to turn on what is on.
var ErrAlreadyOn = errors.New("the account asks for a code already")

// Secret is an app's, before it is turned on. Text is what people type who cannot scan, and URL what the QR code says.
type Secret struct {
	Text string
	URL  string
}

// NewSecret makes a secret for the user's app. Nothing is kept of it until Enable.
func (t *TwoStep) NewSecret(product, email string) (Secret, error) {
	key, err := totp.Generate(totp.GenerateOpts{Issuer: product, AccountName: email, SecretSize: 20, Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1})
	if err != nil {
		return Secret{}, fmt.Errorf("account.TwoStep.NewSecret: %w", err)
	}
	return Secret{Text: key.Secret(), URL: key.URL()}, nil
}

// State tells how it is with the user's account.
func (t *TwoStep) State(ctx context.Context, user UserID) (TwoStepState, error) {
	s := TwoStepState{On: true}
	const find = `
		SELECT enabled_at, (SELECT count(*) FROM user_recovery_codes c WHERE c.user_id = t.user_id) FROM user_totp t WHERE user_id = $1`
	err := t.accounts.pool.QueryRow(ctx, find, user).Scan(&s.EnabledAt, &s.RecoveryCodes)
	if errors.Is(err, pgx.ErrNoRows) {
		return TwoStepState{}, nil
	}
	return s, wrap("account.TwoStep.State", err)
}

// Enable turns the second factor on with an app's secret, once a code from the app shows that it has it. From then on no sign-in goes
// without a code; those that there are end, and the device gets a new one. The recovery codes are told this once.
//
// The error is ErrWrongCode or ErrAlreadyOn.
func (t *TwoStep) Enable(ctx context.Context, user UserID, secret, code string, device Device) (recovery []string, token string, err error) {
	digits, _ := cleanCode(code)
	step, found := stepOf(digits, secret, t.now())
	if !found {
		return nil, "", ErrWrongCode
	}
	token, hash := newToken()
	err = postgres.InTx(ctx, t.accounts.pool, func(tx pgx.Tx) error {
		const insert = `INSERT INTO user_totp (user_id, secret_sealed, last_step) VALUES ($1, $2, $3) ON CONFLICT (user_id) DO NOTHING`
		tag, err := tx.Exec(ctx, insert, user, t.box.Seal([]byte(secret), place(user)), step)
		if err == nil && tag.RowsAffected() == 0 {
			err = ErrAlreadyOn
		}
		if err != nil {
			return err
		}
		if recovery, err = replaceRecoveryCodes(ctx, tx, user); err != nil {
			return err
		}
		if err := t.accounts.tell(ctx, tx, user, twoStepOnLetter); err != nil {
			return err
		}
		return replaceSessions(ctx, tx, user, hash, device)
	})
	if err != nil {
		return nil, "", wrap("account.TwoStep.Enable", err)
	}
	return recovery, token, nil
}

// Disable turns the second factor off again, which takes a code. All sign-ins end, and the device gets a new one. The error is ErrWrongCode.
func (t *TwoStep) Disable(ctx context.Context, user UserID, code string, device Device) (token string, err error) {
	token, hash := newToken()
	err = postgres.InTx(ctx, t.accounts.pool, func(tx pgx.Tx) error {
		if err := lockUser(ctx, tx, user); err != nil {
			return err
		}
		if _, err := t.use(ctx, tx, user, code); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `DELETE FROM user_totp WHERE user_id = $1`, user); err != nil {
			return err
		}
		if err := t.accounts.tell(ctx, tx, user, twoStepOffLetter); err != nil {
			return err
		}
		return replaceSessions(ctx, tx, user, hash, device)
	})
	if err != nil {
		return "", wrap("account.TwoStep.Disable", err)
	}
	return token, nil
}

// RenewRecoveryCodes replaces the recovery codes by ten new ones, which takes a code. The error is ErrWrongCode.
func (t *TwoStep) RenewRecoveryCodes(ctx context.Context, user UserID, code string) (recovery []string, err error) {
	err = postgres.InTx(ctx, t.accounts.pool, func(tx pgx.Tx) error {
		if err := lockUser(ctx, tx, user); err != nil {
			return err
		}
		if _, err := t.use(ctx, tx, user, code); err != nil {
			return err
		}
		recovery, err = replaceRecoveryCodes(ctx, tx, user)
		return err
	})
	if err != nil {
		return nil, wrap("account.TwoStep.RenewRecoveryCodes", err)
	}
	return recovery, nil
}

// Reseal seals with the current key the secrets that an older one opens, so that a key can be retired once every instance has started with its
// successor in front. Lost is how many secrets no key opens: their owners have only their recovery codes until the key is back.
func (t *TwoStep) Reseal(ctx context.Context) (lost int, err error) {
	rows, err := t.accounts.pool.Query(ctx, `SELECT user_id, secret_sealed FROM user_totp`)
	if err != nil {
		return 0, fmt.Errorf("account.TwoStep.Reseal: %w", err)
	}
	type kept struct {
		User   UserID
		Sealed []byte
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[kept])
	if err != nil {
		return 0, fmt.Errorf("account.TwoStep.Reseal: %w", err)
	}
	for _, k := range all {
		secret, current, err := t.box.Open(k.Sealed, place(k.User))
		if err != nil {
			lost++
			continue
		}
		if current {
			continue
		}
		const update = `UPDATE user_totp SET secret_sealed = $3 WHERE user_id = $1 AND secret_sealed = $2`
		if _, err := t.accounts.pool.Exec(ctx, update, k.User, k.Sealed, t.box.Seal(secret, place(k.User))); err != nil {
			return lost, fmt.Errorf("account.TwoStep.Reseal: %w", err)
		}
	}
	return lost, nil
}

// replaceSessions ends all the user's sign-ins, and keeps a new token.
func replaceSessions(ctx context.Context, tx pgx.Tx, user UserID, tokenHash []byte, device Device) error {
	if _, err := tx.Exec(ctx, `DELETE FROM user_sessions WHERE user_id = $1`, user); err != nil {
		return err
	}
	return insertSession(ctx, tx, user, tokenHash, device)
}

// A recovery code is sixteen characters without look-alikes, in groups of four.
const (
	recoveryCodes    = 10
	recoveryLength   = 16
	recoveryAlphabet = "BCDFGHJKMPQRTVWXY2346789"
)

func replaceRecoveryCodes(ctx context.Context, tx pgx.Tx, user UserID) (codes []string, err error) {
	if _, err := tx.Exec(ctx, `DELETE FROM user_recovery_codes WHERE user_id = $1`, user); err != nil {
		return nil, err
	}
	for range recoveryCodes {
		code := newRecoveryCode()
		const insert = `INSERT INTO user_recovery_codes (user_id, code_hash) VALUES ($1, $2)`
		if _, err := tx.Exec(ctx, insert, user, hashRecoveryCode(user, code)); err != nil {
			return nil, err
		}
		codes = append(codes, code)
	}
	return codes, nil
}

func newRecoveryCode() string {
	// Of 256 values the last 16 would favour some letters: they are drawn again.
	const fair = 256 / len(recoveryAlphabet) * len(recoveryAlphabet)
	var code strings.Builder
	for n := 0; n < recoveryLength; {
		var b [1]byte
		rand.Read(b[:])
		if int(b[0]) >= fair {
			continue
		}
		if n > 0 && n%4 == 0 {
			code.WriteByte('-')
		}
		code.WriteByte(recoveryAlphabet[int(b[0])%len(recoveryAlphabet)])
		n++
	}
	return code.String()
}

// normalRecoveryCode is the code without what people add or leave out when they type it.
func normalRecoveryCode(code string) string {
	return strings.ToUpper(strings.Map(func(r rune) rune {
		if r == '-' || r == ' ' {
			return -1
		}
		return r
	}, code))
}

// cleanCode is an app's code without the space that apps show in it, and whether it is one: six digits.
func cleanCode(code string) (digits string, isCode bool) {
	digits = strings.ReplaceAll(strings.TrimSpace(code), " ", "")
	return digits, len(digits) == 6 && strings.Trim(digits, "0123456789") == ""
}
