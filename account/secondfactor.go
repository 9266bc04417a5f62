package account

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"

	"pubquiz/internal/postgres"
	"pubquiz/internal/seal"
)

// FirstFactor is what somebody has who has proved the first of an account's two factors and not yet the second.
type FirstFactor struct {
	User  UserID
	Email string // its EmailKey
	Proof []byte // of the password and the app at that moment: when either is changed, the first factor has to be proved again
}

// SecondFactorNeeded is the error of a sign-in that is right as far as it goes: the account asks for a code too.
type SecondFactorNeeded struct{ First FirstFactor }

func (*SecondFactorNeeded) Error() string { return "the account asks for a code too" }

// ErrWrongCode refuses a code that is wrong, or was used before.
var ErrWrongCode = errors.New("the code is wrong or was used before")

// proofColumn is FirstFactor.Proof, of users u and user_totp t.
const proofColumn = `sha256(convert_to(u.password_hash || ' ' || extract(epoch FROM t.enabled_at)::text, 'UTF8'))`

// signIn signs the user in on the device, unless their account asks for a code: then the error is a *SecondFactorNeeded.
func (a *Accounts) signIn(ctx context.Context, db querier, user UserID, device Device) (token string, err error) {
	first := FirstFactor{User: user}
	const find = `SELECT u.email_key, ` + proofColumn + ` FROM users u JOIN user_totp t ON t.user_id = u.id WHERE u.id = $1`
	err = db.QueryRow(ctx, find, user).Scan(&first.Email, &first.Proof)
	if err == nil {
		return "", &SecondFactorNeeded{first}
	}
	if !errors.Is(err, pgx.ErrNoRows) {
		return "", err
	}
	token, hash := newToken()
	return token, insertSession(ctx, db, user, hash, device)
}

// TwoStep is the second factor of accounts: a code from an app (RFC 6238, six digits, every thirty seconds) or, without the app, one of ten recovery
// codes. It is safe for concurrent use.
type TwoStep struct {
	accounts *Accounts
	box      seal.Box
	now      func() time.Time
}

// NewTwoStep returns the second factor of these accounts. The apps' secrets are sealed with the first of the keys, and all of them open.
func NewTwoStep(accounts *Accounts, now func() time.Time, keys ...[]byte) (*TwoStep, error) {
	box, err := seal.New("quizd: secrets of authenticator apps", keys...)
	if err != nil {
		return nil, fmt.Errorf("account.NewTwoStep: %w", err)
	}
	return &TwoStep{accounts, box, now}, nil
}

// Codes are those of the apps that people have: what RFC 6238 calls the default, and the only one that all of them know.
const (
	period = 30 * time.Second
	skew   = 1 // steps that a phone's clock may be wrong, either way
)

var codeShape = hotp.ValidateOpts{Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1}

// stepOf returns the step whose code it is, if it is one of those around now.
func stepOf(code, secret string, now time.Time) (step int64, found bool) {
	current := now.Unix() / int64(period/time.Second)
	for step := current - skew; step <= current+skew; step++ {
		if right, err := hotp.ValidateCustom(code, uint64(step), secret, codeShape); err == nil && right {
			return step, true
		}
	}
	return 0, false
}

// SignIn signs in on the device whoever has the first factor and the code. If that was a recovery code, it is gone now, and a letter says so.
// The error is ErrWrongCode, or ErrNotSignedIn when the first factor is out of date.
func (t *TwoStep) SignIn(ctx context.Context, first FirstFactor, code string, device Device) (token string, err error) {
	token, hash := newToken()
	err = postgres.InTx(ctx, t.accounts.pool, func(tx pgx.Tx) error {
		const find = `SELECT FROM users u JOIN user_totp t ON t.user_id = u.id WHERE u.id = $1 AND ` + proofColumn + ` = $2 FOR SHARE OF u`
		err := tx.QueryRow(ctx, find, first.User, first.Proof).Scan()
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrNotSignedIn
		}
		if err != nil {
			return err
		}
		recovered, err := t.use(ctx, tx, first.User, code)
		if err != nil {
			return err
		}
		if recovered {
			if err := t.accounts.tell(ctx, tx, first.User, recoveredLetter); err != nil {
				return err
			}
		}
		return insertSession(ctx, tx, first.User, hash, device)
	})
	if err != nil {
		return "", wrap("account.TwoStep.SignIn", err)
	}
	return token, nil
}

// use uses up a code. Of several uses at once, one succeeds. The error is ErrWrongCode.
func (t *TwoStep) use(ctx context.Context, tx pgx.Tx, user UserID, code string) (recovered bool, err error) {
	digits, isCode := cleanCode(code)
	if !isCode {
		const spend = `DELETE FROM user_recovery_codes WHERE user_id = $1 AND code_hash = $2`
		tag, err := tx.Exec(ctx, spend, user, hashRecoveryCode(user, code))
		if err == nil && tag.RowsAffected() == 0 {
			err = ErrWrongCode
		}
		return true, err
	}
	var sealed []byte
	err = tx.QueryRow(ctx, `SELECT secret_sealed FROM user_totp WHERE user_id = $1`, user).Scan(&sealed)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, ErrWrongCode
	}
	if err != nil {
		return false, err
	}
	secret, _, err := t.box.Open(sealed, place(user))
	if err != nil {
		return false, fmt.Errorf("the secret of user %d: %w", user, err)
	}
	step, found := stepOf(digits, string(secret), t.now())
	if !found {
		return false, ErrWrongCode
	}
	const spend = `UPDATE user_totp SET last_step = $2 WHERE user_id = $1 AND last_step < $2`
	tag, err := tx.Exec(ctx, spend, user, step)
	if err == nil && tag.RowsAffected() == 0 {
		err = ErrWrongCode
	}
	return false, err
}

// place is where a user's secret belongs: sealed for one user, it opens for no other.
func place(user UserID) string { return fmt.Sprintf("user %d", user) }

// hashRecoveryCode is what is kept of a recovery code. The codes have 73 random bits, so that one fast hash is enough.
func hashRecoveryCode(user UserID, code string) []byte {
	sum := sha256.Sum256([]byte(place(user) + ": " + normalRecoveryCode(code)))
	return sum[:]
}
