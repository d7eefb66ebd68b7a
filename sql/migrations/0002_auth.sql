-- What a realm authenticates with and signs with.

create table auth_providers (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  provider_type text not null,
  state text not null check (state in ('active', 'inactive')),
  min_length integer,
  created_at timestamptz not null,
  primary key (realm_id, id)
);

create index auth_providers_realm_of on auth_providers (id, realm_id);
create unique index auth_providers_by_type on auth_providers (realm_id, provider_type)
  where provider_type in ('password', 'totp');

-- The oldest unexpired key of a realm signs. `secret` is sealed: an hs256 secret or an RSA private key (PKCS 8 PEM).
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
