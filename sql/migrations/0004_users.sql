-- Users and what they log in with.

-- `email` and `username_key` are canonical (trimmed, NFKC, lower case); `username` is as typed. `key_login_at`: when a login
-- by API key was last recorded as an event. `ever_verified`: whether the user's e-mail was ever proved. `sessions_ended_at`:
-- when all sessions of the user were last ended at once; a login that began before leaves no session behind. Every login
-- updates the row: no index has a column that a login changes, and pages keep room, so that the update rewrites no index.
create table users (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  user_type text not null check (user_type in ('human', 'api')),
  state text not null check (state in ('active', 'inactive')),
  email text collate "C",
  email_unique boolean not null,
  email_pending text collate "C",
  email_verification text not null check (email_verification in ('none', 'requested', 'verified')),
  username text,
  username_key text collate "C",
  first_name text,
  last_name text,
  name text not null,
  sort_name text collate "C" not null,
  sort_name_alt text collate "C" not null,
  locale text,
  reference text collate "C",
  custom json not null,
  created_at timestamptz not null,
  last_login_at timestamptz,
  key_login_at timestamptz,
  ever_verified boolean not null default false,
  sessions_ended_at timestamptz,
  primary key (id, realm_id)
) with (fillfactor = 85);

create unique index users_unique_email on users (realm_id, email) where email_unique;
create unique index users_unique_username on users (realm_id, username_key) where username_key is not null;

-- The list has an index for each of its sorts, that by last login on `last_logins`. A missing value sorts first. Each begins
-- with what a list may be filtered by, type and state: a page is merged from the types and states that it shows, so that
-- it never reads users whom it leaves out.
create index users_by_id on users (realm_id, user_type, state, id);
create index users_by_email on users (realm_id, user_type, state, (coalesce(email, '')), id);
create index users_by_name on users (realm_id, user_type, state, sort_name, id);
create index users_by_name_alt on users (realm_id, user_type, state, sort_name_alt, id);
create index users_by_username on users (realm_id, user_type, state, (coalesce(username_key, '')), id);

-- The filters whose values few users share.
create index users_with_email_pending on users (realm_id, email_pending) where email_pending is not null;
create index users_with_reference on users (realm_id, reference, user_type, state, id) where reference is not null;

-- The order of users by their last login: a row for each user, with what the list filters by. `last_login_at` is that of
-- `users`; '-infinity': never.
create table last_logins (
  realm_id text collate "C" not null,
  user_id text collate "C" not null,
  user_type text not null,
  state text not null,
  last_login_at timestamptz not null,
  primary key (realm_id, user_id),
  foreign key (realm_id, user_id) references users (realm_id, id) on delete cascade
);

create index last_logins_by_time on last_logins (realm_id, user_type, state, last_login_at, user_id);

-- Credentials of every type. `secret` is encrypted: a TOTP secret, an API key that may be read again, or a provider's access
-- token. `key_digest`: the keyed digest (HMAC-SHA256) by which an API key is found. `last_step`: the time step of the last
-- TOTP code that was accepted. `locked_at`: since when nobody logs in with this password, because whoever set it had not
-- proved the user's e-mail and somebody else has.
create table credentials (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  user_id text collate "C" not null,
  credential_type text not null,
  password_hash text,
  created_at timestamptz not null,
  name text,
  state text check (state in ('new', 'active')),
  auth_provider_id text collate "C",
  secret text,
  key_digest bytea,
  last_step bigint,
  provider_user_id text collate "C",
  token_expires_at timestamptz,
  locked_at timestamptz,
  -- The digests of the recovery codes that are left.
  code_digests text[],
  primary key (realm_id, id),
  foreign key (realm_id, user_id) references users (realm_id, id),
  foreign key (realm_id, auth_provider_id) references auth_providers (realm_id, id) on delete cascade
);

create index credentials_realm_of on credentials (id, realm_id);
create index credentials_by_user on credentials (realm_id, user_id, id);
create unique index credentials_one_password on credentials (realm_id, user_id) where credential_type = 'password';
create unique index credentials_one_recovery_set on credentials (realm_id, user_id)
  where credential_type = 'recovery_codes';
create unique index credentials_by_key on credentials (realm_id, key_digest) where key_digest is not null;
create unique index credentials_by_provider_user on credentials (realm_id, auth_provider_id, provider_user_id)
  where auth_provider_id is not null;

-- What passkeys have beyond other credentials. `passkey_id`: the credential ID of WebAuthn, in base64url. `rp_id`: the domain
-- that it was made for, and works on. `public_key`: in the form of COSE. `backup_eligible`: whether it can be synced between devices.
create table passkeys (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  passkey_id text collate "C" not null,
  rp_id text not null,
  public_key bytea not null,
  sign_count bigint not null,
  aaguid text collate "C" not null,
  transports text[] not null,
  backup_eligible boolean not null,
  backed_up boolean not null,
  last_used_at timestamptz,
  primary key (realm_id, id),
  foreign key (realm_id, id) references credentials (realm_id, id) on delete cascade
);

create unique index passkeys_by_passkey_id on passkeys (realm_id, passkey_id);

-- The secret that keys the digests of a realm's API keys: encrypted, made when the first digest is needed.
create table api_key_peppers (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  secret text not null,
  primary key (realm_id, id)
);

create unique index api_key_peppers_by_realm on api_key_peppers (realm_id);
