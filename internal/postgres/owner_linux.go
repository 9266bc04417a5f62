package postgres

import "syscall"

// endWithParent has the kernel stop the child in order (SIGINT is Postgres's fast shutdown) when this process dies.
func endWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGINT }
