-- Access to the management API.

-- Management keys. `key_digest`: the SHA-256 of the key, which itself is not stored. `realm_id` null: a key for all realms.
create table api_keys (
  id text collate "C" primary key,
  realm_id text collate "C" references realms (id),
  name text not null,
  level text not null check (level in ('read', 'write', 'admin_realm', 'admin_all_realms')),
  key_digest bytea not null,
  root boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz
);

-- Across realms: a key is found before its realm is known.
create unique index api_keys_by_digest on api_keys (key_digest);
-- Across realms: an installation has one root key.
create unique index api_keys_root on api_keys (root) where root;
create index api_keys_by_realm on api_keys (realm_id, id);
-- Across realms: the list of all keys that are locked to one.
create index api_keys_locked on api_keys (id) where realm_id is not null;

-- Requests that carried an Idempotency-Key, for 24 hours. `answer` is encrypted. A request that waits for the outside world
-- holds no transaction meanwhile: until it is answered its row has `leased_until` and no answer.
create table idempotent_requests (
  api_key_id text collate "C" not null,
  path text not null,
  key_digest bytea not null,
  request_digest bytea not null,
  status integer,
  answer text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  leased_until timestamptz,
  primary key (api_key_id, key_digest)
);

create index idempotent_requests_by_expiry on idempotent_requests (expires_at);
