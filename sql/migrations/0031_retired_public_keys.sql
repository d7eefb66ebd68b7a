-- The public keys of rs256 keys that verify tokens no longer: an ID token still says by them whose session a log-out means (C275).
create table retired_public_keys (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  public_key text not null,
  expires_at timestamptz not null,
  primary key (realm_id, id)
);

create index retired_public_keys_by_expiry on retired_public_keys (expires_at);
