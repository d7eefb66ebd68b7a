-- OAuth 2.1 and OpenID Connect: authorization requests under way, the codes they end in, and what users have consented to.

-- `id`: the SHA-256 of the secret by which a browser, or a client that pushed the request (RFC 9126), refers to it. `params`: the
-- parameters as the client sent them, as a JSON object; they are checked again whenever they are used. A row goes when its code is issued.
create table oauth_requests (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  client_id text collate "C" not null,
  pushed boolean not null,
  params text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (realm_id, id),
  foreign key (realm_id, client_id) references oauth_clients (realm_id, id) on delete cascade
);

create index oauth_requests_by_client on oauth_requests (realm_id, client_id);
create index oauth_requests_by_expiry on oauth_requests (expires_at);

-- `id`: the SHA-256 of the code. `grant_id`: the id that the grant gets with the redemption. `sid`: the session in whose course the
-- code was issued. `jkt`: the thumbprint of the DPoP key that alone may redeem it. A code that was used stays, so that a replay is recognized.
create table oauth_codes (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  client_id text collate "C" not null,
  user_id text collate "C" not null,
  grant_id text collate "C" not null,
  redirect_uri text not null,
  code_challenge text collate "C",
  nonce text,
  sid text collate "C" not null,
  scopes text[] not null,
  resources text[] not null,
  org_id text collate "C",
  claims text,
  jkt text collate "C",
  auth_methods text[] not null default '{}',
  authenticated_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (realm_id, id),
  foreign key (realm_id, client_id) references oauth_clients (realm_id, id) on delete cascade,
  foreign key (realm_id, user_id) references users (realm_id, id) on delete cascade
);

create index oauth_codes_by_client on oauth_codes (realm_id, client_id);
create index oauth_codes_by_user on oauth_codes (realm_id, user_id);
create index oauth_codes_by_expiry on oauth_codes (expires_at);

-- What a user has allowed a client, once and for later requests: all scopes, and all resource servers, that were ever granted.
-- `pairs`: which scope was granted for which of them, as "scope resource"; the resource is blank where there was none.
create table oauth_consents (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  user_id text collate "C" not null,
  client_id text collate "C" not null,
  scopes text[] not null,
  resources text[] not null,
  pairs text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (realm_id, id),
  foreign key (realm_id, client_id) references oauth_clients (realm_id, id) on delete cascade,
  foreign key (realm_id, user_id) references users (realm_id, id) on delete cascade
);

create index oauth_consents_realm_of on oauth_consents (id, realm_id);
create unique index oauth_consents_pair on oauth_consents (realm_id, user_id, client_id);
create index oauth_consents_by_user on oauth_consents (realm_id, user_id, id);
create index oauth_consents_by_client on oauth_consents (realm_id, client_id, id);
