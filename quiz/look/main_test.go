package look

import (
	"os"
	"testing"

	"pubquiz/internal/dbtest"
)

func TestMain(m *testing.M) { os.Exit(dbtest.Run(m)) }
