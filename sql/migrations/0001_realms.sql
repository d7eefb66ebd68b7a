-- Realms and what belongs to the account. Ids and sort keys are compared byte by byte: COLLATE "C".

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
  deleted_at timestamptz
);

create index realms_by_name on realms (sort_name, id) where deleted_at is null;
create index realms_by_id on realms (id) where deleted_at is null;
create index realms_inactive_by_name on realms (sort_name, id) where deleted_at is null and state = 'inactive';
create index realms_by_reference on realms (reference, sort_name, id) where deleted_at is null and reference is not null;

-- What is left to do for a deleted or reset realm: written with the request, worked off later.
create table realm_jobs (
  realm_id text collate "C" not null references realms (id),
  kind text not null check (kind in ('delete', 'reset')),
  resources text[] not null,
  cutoff_at timestamptz not null,
  primary key (realm_id, kind)
);

-- Management keys: only the SHA-256 of a key is kept. realm_id null: for every realm.
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

create unique index api_keys_by_digest on api_keys (key_digest);
create unique index api_keys_root on api_keys (root) where root;
create index api_keys_by_realm on api_keys (realm_id, id);

-- Answers to requests that carried an Idempotency-Key, sealed, for 24 hours.
create table idempotent_requests (
  api_key_id text collate "C" not null,
  path text not null,
  key_digest bytea not null,
  request_digest bytea not null,
  status integer,
  answer text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (api_key_id, key_digest)
);

create index idempotent_requests_by_expiry on idempotent_requests (expires_at);
