-- Sessions of the console. `id`: the SHA-256 of the secret in the cookie, which itself is not stored. A session ends with its key.
create table console_sessions (
  id text collate "C" primary key,
  api_key_id text collate "C" not null references api_keys (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create index console_sessions_by_key on console_sessions (api_key_id);
create index console_sessions_by_expiry on console_sessions (expires_at);
