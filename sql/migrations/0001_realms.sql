-- Realms, the work that clears them, and the account's row. `docs/schema.md` lists every table of the service.
-- Ids and sort keys have COLLATE "C": they are compared byte by byte.

-- `limits`: the limits that the realm has in place of the defaults. `event_retention_days`: how many days the realm keeps
-- its events; null: as long as the deployment does. `session_tokens`: which keys get a fresh token when they read a
-- session: every key that may read it, or keys from level `write`. `passkey_rp_id`: the domain that passkeys belong to; null:
-- the login host of the oldest app. `mfa`: whether logins ask for a second factor of those who have one, of all, who set one
-- up if need be, or of nobody. `oauth_scopes`: the scopes that OAuth clients may have besides the standard ones.
create table realms (
  id text collate "C" primary key,
  name text not null,
  sort_name text collate "C" not null,
  state text not null check (state in ('active', 'inactive')),
  reference text collate "C",
  custom json not null,
  environment text not null check (environment in ('live', 'test')),
  username_validation_human text not null check (username_validation_human in ('standard', 'email')),
  require_unique_emails boolean not null,
  api_key_prefix text,
  api_key_policy text not null check (api_key_policy in ('encrypt', 'hash')),
  jwt_algo text not null check (jwt_algo in ('hs256', 'rs256')),
  jwt_fields text[] not null,
  jwt_claims text not null check (jwt_claims in ('v2', 'both')),
  session_type text not null check (session_type in ('managed', 'unmanaged')),
  session_minutes integer not null,
  api_key_minutes integer not null,
  org_mode text not null check (org_mode in ('single_user', 'multi_user')),
  signup text not null check (signup in ('open', 'invitation', 'closed')),
  email_verification text not null check (email_verification in ('none', 'request', 'preverify')),
  default_locale text not null,
  available_locales text[] not null,
  resource_links json not null,
  created_at timestamptz not null,
  deleted_at timestamptz,
  limits json not null default '{}',
  event_retention_days integer,
  mfa text collate "C" not null default 'optional' check (mfa in ('optional', 'required', 'off')),
  session_tokens text collate "C" not null default 'all' check (session_tokens in ('all', 'write')),
  signup_fields text[] not null default '{username,names,org_name}',
  passkey_rp_id text,
  oauth_scopes text[] not null default '{}',
  roles json not null default '[]'
);

-- The list is merged from the states that it shows.
create index realms_by_name on realms (state, sort_name, id) where deleted_at is null;
create index realms_by_id on realms (state, id) where deleted_at is null;
create index realms_by_reference on realms (reference, state, sort_name, id)
  where deleted_at is null and reference is not null;
create index realms_by_event_retention on realms (event_retention_days, id) where event_retention_days is not null;

-- The account as a realm: it is marked as deleted, so that no request finds it. Hooks that hear all realms belong to it.
insert into realms (id, name, sort_name, state, custom, environment, username_validation_human, require_unique_emails,
  api_key_policy, jwt_algo, jwt_fields, jwt_claims, session_type, session_minutes, api_key_minutes, org_mode, signup,
  email_verification, default_locale, available_locales, resource_links, created_at, deleted_at)
values ('rl_00000000000000000000000000', '', '', 'active', '{}', 'live', 'standard', true, 'hash', 'hs256', '{}', 'v2',
  'managed', 360, 0, 'multi_user', 'closed', 'none', 'en', '{en}', '[]', 'epoch', 'epoch');

-- What remains to be deleted of a deleted or reset realm: written with the request, worked off by an actor. Jobs take
-- turns: the one with the lowest `turn` is next; 0: a job that has had none yet.
create table realm_jobs (
  realm_id text collate "C" not null references realms (id),
  kind text not null check (kind in ('delete', 'reset')),
  resources text[] not null,
  cutoff_at timestamptz not null,
  turn bigint not null default 0,
  primary key (realm_id, kind)
);
