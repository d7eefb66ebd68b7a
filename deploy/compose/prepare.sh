#!/bin/sh
# Creates the secrets for three-nodes.yml in ./secrets. Run it once. Store sallyport_secret separately from the database backups: a
# backup can't be used without it.
set -eu
cd "$(dirname "$0")"
if [ -e secrets ]; then
  echo "The folder secrets already exists and was not changed." >&2
  exit 1
fi

# Only the owner can enter the folder. The files in it are readable by all, because each container runs as a different user.
mkdir -m 700 secrets
random() { openssl rand -hex 32; }
database_password=$(random)
random > secrets/sallyport_secret
random > secrets/sallyport_root_key
random > secrets/replication_password
echo "$database_password" > secrets/postgres_password
# Both servers: nodes write to whichever is the primary.
echo "postgres://sallyport:$database_password@postgres:5432,standby:5432/sallyport" > secrets/database_url
echo "postgres://sallyport:$database_password@standby:5432/sallyport" > secrets/replica_url

# For this machine: the service at localhost, and the login pages of its apps below local.localhost. In production, replace this
# file by your domains' certificate, its chain and its key, in this order.
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 365 -subj /CN=localhost \
  -addext "subjectAltName=DNS:localhost,DNS:*.local.localhost" -keyout secrets/key -out secrets/certificate 2>/dev/null
cat secrets/key >> secrets/certificate
rm secrets/key
chmod 644 secrets/*
echo "The secrets are in $PWD/secrets."
