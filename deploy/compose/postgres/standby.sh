#!/bin/sh
# Starts the standby. At its first start it copies the primary, into a folder that gets its name when the copy is whole.
set -eu
if [ ! -e "$PGDATA" ]; then
  rm -rf "$PGDATA.copying"
  PGPASSWORD=$(cat /run/secrets/replication_password) pg_basebackup --no-password --checkpoint=fast --wal-method=stream \
    --slot=standby --write-recovery-conf --dbname="host=postgres user=replicator application_name=standby" \
    --pgdata="$PGDATA.copying"
  mv "$PGDATA.copying" "$PGDATA"
fi
# Once promoted, it waits for no standby of its own.
exec postgres -c synchronous_standby_names=
