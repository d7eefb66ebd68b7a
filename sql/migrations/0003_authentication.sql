-- How the users of a realm authenticate, and what its tokens are signed with.

-- `min_length`, `preset` and `required_chars` belong to type `password`; `client_*`, `name` and `scopes` to every type but
-- `password`, `totp` and `passkey`; the columns from `authorization_url` to `name_field` to `oauth2`; the last three to
-- `passkey`. `client_secret` is encrypted.
create table auth_providers (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  provider_type text collate "C" not null,
  state text not null check (state in ('active', 'inactive')),
  min_length integer,
  created_at timestamptz not null,
  preset text not null default 'none' check (preset in ('none', 'nist')),
  required_chars text[] not null default '{}',
  name text,
  client_id text,
  client_secret text,
  scopes text[] not null default '{}',
  authorization_url text,
  token_url text,
  profile_url text,
  id_field text,
  email_field text,
  email_verified_field text,
  first_name_field text,
  last_name_field text,
  name_field text,
  user_verification text not null default 'preferred' check (user_verification in ('preferred', 'required')),
  attestation text not null default 'none' check (attestation in ('none', 'direct')),
  attestation_roots text[] not null default '{}',
  second_factor boolean not null default false,
  primary key (realm_id, id),
  check (provider_type in ('password', 'totp', 'passkey', 'email_code', 'facebook', 'github', 'google', 'linkedin',
    'slack', 'yahoo', 'oauth2')),
  check (provider_type <> 'password' or min_length is not null),
  check (provider_type in ('password', 'totp', 'passkey', 'email_code') or num_nulls(client_id, client_secret) = 0),
  check (provider_type <> 'oauth2'
    or num_nulls(authorization_url, token_url, profile_url, id_field, email_field) = 0)
);

create index auth_providers_realm_of on auth_providers (id, realm_id);
create index auth_providers_by_state on auth_providers (realm_id, state, id);
-- A realm has one provider of each type, and any number of type `oauth2`.
create unique index auth_providers_one_of_type on auth_providers (realm_id, provider_type)
  where provider_type <> 'oauth2';

-- Signing keys: the oldest one of a realm that is not retired signs. `secret` is encrypted: an HS256 secret or an RSA
-- private key (PKCS 8 PEM). `expired_at`: when the key was retired; it is deleted after its grace time.
create table jwt_keys (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  algo text not null check (algo in ('hs256', 'rs256')),
  public_key text,
  secret text not null,
  created_at timestamptz not null,
  expired_at timestamptz,
  primary key (realm_id, id)
);

create index jwt_keys_realm_of on jwt_keys (id, realm_id);
create index jwt_keys_by_expiry on jwt_keys (expired_at) where expired_at is not null;
