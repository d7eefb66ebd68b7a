#!/bin/sh
# Runs once, when the primary has created its database: lets the standby connect, and makes commits wait for it.
set -e
psql --quiet --set=ON_ERROR_STOP=1 --set=password="$(cat /run/secrets/replication_password)" \
  --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" <<'SQL'
create role replicator login replication password :'password';
do $$ begin perform pg_create_physical_replication_slot('standby'); end $$;
-- Holds from the next start on, which is that of the server itself. The changes above would wait for a standby otherwise.
alter system set synchronous_standby_names = 'standby';
SQL
echo "host replication replicator samenet scram-sha-256" >> "$PGDATA/pg_hba.conf"
