-- What each type of auth provider has. `min_length`, `preset` and `required_chars` belong to `password`; `client_*`,
-- `name` and `scopes` to all but `password` and `totp`; the rest to `oauth2`. `client_secret` is sealed.

drop index auth_providers_by_type;

alter table auth_providers
  alter column provider_type type text collate "C",
  add column preset text not null default 'none' check (preset in ('none', 'nist')),
  add column required_chars text[] not null default '{}',
  add column name text,
  add column client_id text,
  add column client_secret text,
  add column scopes text[] not null default '{}',
  add column authorization_url text,
  add column token_url text,
  add column profile_url text,
  add column id_field text,
  add column email_field text,
  add column email_verified_field text,
  add column first_name_field text,
  add column last_name_field text,
  add column name_field text,
  add check (provider_type in
    ('password', 'totp', 'facebook', 'github', 'google', 'linkedin', 'slack', 'yahoo', 'oauth2')),
  add check (provider_type <> 'password' or min_length is not null),
  add check (provider_type in ('password', 'totp') or num_nulls(client_id, client_secret) = 0),
  add check (provider_type <> 'oauth2'
    or num_nulls(authorization_url, token_url, profile_url, id_field, email_field) = 0);

-- One of each type in a realm, but for what a type does not tell apart.
create unique index auth_providers_one_of_type on auth_providers (realm_id, provider_type)
  where provider_type <> 'oauth2';
