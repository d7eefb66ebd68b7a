-- Credentials of all types, and what api users need. `secret` is sealed: a TOTP secret, an API key that may be read
-- again, a provider's access token. `key_digest`: the keyed digest (HMAC-SHA256) that an API key is found by.

alter table credentials
  add column name text,
  add column state text check (state in ('new', 'active')),
  add column auth_provider_id text collate "C",
  add column secret text,
  add column key_digest bytea,
  add column last_step bigint,
  add column provider_user_id text collate "C",
  add column token_expires_at timestamptz,
  add foreign key (realm_id, auth_provider_id) references auth_providers (realm_id, id) on delete cascade;

create unique index credentials_by_key on credentials (realm_id, key_digest) where key_digest is not null;
create unique index credentials_by_provider_user on credentials (realm_id, auth_provider_id, provider_user_id)
  where auth_provider_id is not null;

-- What the digests of a realm's API keys are keyed with: sealed, made when the first one is needed.
create table api_key_peppers (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  secret text not null,
  primary key (realm_id, id)
);

create unique index api_key_peppers_by_realm on api_key_peppers (realm_id);

-- When an API key's login was last told of: its event comes once a day.
alter table users add column key_login_at timestamptz;

-- Api users are few, so that a partial index of each sort costs little.
create index users_api on users (realm_id, id) where user_type = 'api';
create index users_api_by_last_login on users (realm_id, (coalesce(last_login_at, '-infinity'::timestamptz)), id)
  where user_type = 'api';
create index users_api_by_name on users (realm_id, sort_name, id) where user_type = 'api';
create index users_api_by_name_alt on users (realm_id, sort_name_alt, id) where user_type = 'api';
create index users_api_by_username on users (realm_id, (coalesce(username_key, '')), id) where user_type = 'api';
