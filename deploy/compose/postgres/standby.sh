#!/bin/sh
# Starts the standby. On its first start, it copies the primary into a folder that is renamed once the copy is complete.
set -eu
if [ ! -e "$PGDATA" ]; then
  rm -rf "$PGDATA.copying"
  PGPASSWORD=$(cat /run/secrets/replication_password) pg_basebackup --no-password --checkpoint=fast --wal-method=stream \
    --slot=standby --write-recovery-conf --dbname="host=postgres user=replicator application_name=standby" \
    --pgdata="$PGDATA.copying"
  mv "$PGDATA.copying" "$PGDATA"
fi
# After a promotion, it doesn't wait for a standby of its own.
exec postgres -c synchronous_standby_names=
