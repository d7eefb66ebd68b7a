-- Wrong passwords for names that nobody has, counted as those of users: who guesses can't tell one from the other. Of the
-- name only its HMAC, under a secret of the realm.
create table unknown_attempts (
  realm_id text collate "C" not null references realms (id),
  name_digest bytea not null,
  kind text not null check (kind in ('password', 'code')),
  made integer not null,
  last_at timestamptz not null,
  blocked_until timestamptz,
  expires_at timestamptz not null,
  primary key (realm_id, name_digest, kind)
);

create index unknown_attempts_by_expiry on unknown_attempts (expires_at);
