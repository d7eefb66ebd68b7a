-- OAuth 2.1: refresh tokens, access tokens that were revoked before they expired, and proofs that work once.

-- `id`: the SHA-256 of the token. `used_at`: when another one took its place; `salt`: what that one is derived from, together with
-- the token itself, which is stored nowhere. The loser of a race of two refreshes gets the same one.
create table oauth_refresh_tokens (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  grant_id text collate "C" not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  salt text,
  primary key (realm_id, id),
  foreign key (realm_id, grant_id) references oauth_grants (realm_id, id) on delete cascade
);

create index oauth_refresh_tokens_by_grant on oauth_refresh_tokens (realm_id, grant_id);
create index oauth_refresh_tokens_by_expiry on oauth_refresh_tokens (expires_at);

-- `id`: the `jti` of an access token that its client has revoked.
create table oauth_revoked_tokens (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  expires_at timestamptz not null,
  primary key (realm_id, id)
);

create index oauth_revoked_tokens_by_expiry on oauth_revoked_tokens (expires_at);

-- `id`: the SHA-256 of a proof of possession (RFC 9449) or of a client's assertion (RFC 7523), with the key that signed it.
create table oauth_proofs (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  expires_at timestamptz not null,
  primary key (realm_id, id)
);

create index oauth_proofs_by_expiry on oauth_proofs (expires_at);
