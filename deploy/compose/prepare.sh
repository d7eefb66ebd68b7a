#!/bin/sh
# Makes the secrets of three-nodes.yml in ./secrets, once. Keep sallyport_secret apart from the backups of the database: a backup
# can't be used without it.
set -eu
cd "$(dirname "$0")"
if [ -e secrets ]; then
  echo "There is a folder secrets already, which is left as it is." >&2
  exit 1
fi

# Only the owner can enter the folder. The files in it are readable, because each container reads its own as another user.
mkdir -m 700 secrets
random() { openssl rand -hex 32; }
database_password=$(random)
random > secrets/sallyport_secret
random > secrets/sallyport_root_key
random > secrets/replication_password
echo "$database_password" > secrets/postgres_password
# Both servers: nodes write to the one that is the primary at the time.
echo "postgres://sallyport:$database_password@postgres:5432,standby:5432/sallyport" > secrets/database_url
echo "postgres://sallyport:$database_password@standby:5432/sallyport" > secrets/replica_url

# For this machine: the service at localhost, and the login pages of its apps below local.localhost. In production: the certificate
# of your domains with its chain, then its key, in this one file.
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 365 -subj /CN=localhost \
  -addext "subjectAltName=DNS:localhost,DNS:*.local.localhost" -keyout secrets/key -out secrets/certificate 2>/dev/null
cat secrets/key >> secrets/certificate
rm secrets/key
chmod 644 secrets/*
echo "The secrets are in $PWD/secrets."
