-- Counters against guessing and against too many calls.

-- Wrong passwords and codes of a user, and passkeys that were refused. A try is counted before it is checked. `made`: 0 once a right one has reset the count.
-- Nearly every login updates the row twice: pages keep room for that.
create table attempts (
  realm_id text collate "C" not null references realms (id),
  user_id text collate "C" not null,
  kind text not null check (kind in ('password', 'code', 'passkey', 'email_code')),
  made integer not null,
  last_at timestamptz not null,
  blocked_until timestamptz,
  primary key (realm_id, user_id, kind),
  foreign key (realm_id, user_id) references users (realm_id, id) on delete cascade
) with (fillfactor = 70);

-- Wrong passwords for names that no user has, counted like those of users: a guesser cannot tell the two apart.
-- `name_digest`: the HMAC of the name under a secret of the realm.
create table unknown_attempts (
  realm_id text collate "C" not null references realms (id),
  name_digest bytea not null,
  kind text not null check (kind in ('password', 'code', 'email_code')),
  made integer not null,
  last_at timestamptz not null,
  blocked_until timestamptz,
  expires_at timestamptz not null,
  primary key (realm_id, name_digest, kind)
);

create index unknown_attempts_by_expiry on unknown_attempts (expires_at);

-- Browsers that a user has logged in with before. Each has tries of its own for that user's password, so that guesses made
-- elsewhere do not lock the user out of it. `id`: the SHA-256 of the cookie's value. `blocked_until`: set when all tries of
-- the browser are used up; after that time the browser is no longer known.
create table known_browsers (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  user_id text collate "C" not null,
  made integer not null,
  blocked_until timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (realm_id, id),
  foreign key (realm_id, user_id) references users (realm_id, id) on delete cascade
) with (fillfactor = 85);

create index known_browsers_by_user on known_browsers (realm_id, user_id, created_at);
create index known_browsers_by_expiry on known_browsers (expires_at);

-- How much of each rate limit is used up, in windows of fixed length. Nodes take from it in blocks.
create table quotas (
  limit_name text collate "C" not null,
  subject text collate "C" not null,
  window_at timestamptz not null,
  used integer not null,
  expires_at timestamptz not null,
  primary key (limit_name, subject, window_at)
);

create index quotas_by_expiry on quotas (expires_at);
