-- OAuth 2.1 and OpenID Connect: clients, and what people have let them do.

-- What connected apps of other client types than `standard` have besides the columns of `login_policies`, where their name, state
-- and redirect URIs are. `jwks`: the public keys of a client that signs its authentication, as JSON. `login_app_id`: the app on
-- whose pages people log in; null: the realm's oldest active one.
create table oauth_clients (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  post_logout_redirect_uris text[] not null,
  backchannel_logout_uri text,
  grant_types text[] not null,
  token_endpoint_auth_method text collate "C" not null check
    (token_endpoint_auth_method in ('client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none')),
  jwks text,
  allowed_scopes text[] not null,
  resources text[] not null,
  consent text collate "C" not null check (consent in ('skip', 'ask')),
  require_pkce boolean not null,
  require_par boolean not null,
  require_dpop boolean not null,
  access_token_minutes integer not null,
  refresh_token_days integer not null,
  login_app_id text collate "C",
  primary key (realm_id, id),
  foreign key (realm_id, id) references login_policies (realm_id, id) on delete cascade,
  foreign key (realm_id, login_app_id) references login_policies (realm_id, id) on delete set null (login_app_id)
);

-- `digest`: the SHA-256 of a client secret. After a rotation the one before it expires; `expires_at` null: it does not.
create table oauth_client_secrets (
  realm_id text collate "C" not null references realms (id),
  client_id text collate "C" not null,
  digest text collate "C" not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  primary key (realm_id, client_id, digest),
  foreign key (realm_id, client_id) references oauth_clients (realm_id, id) on delete cascade
);

create index oauth_client_secrets_by_expiry on oauth_client_secrets (expires_at);

-- What a user lets a client do: the family of the tokens that one authorization has led to. `sid`: the session in whose course it
-- was given, and with which it ends unless `scopes` has `offline_access`; null: it belongs to none. `jkt`: the thumbprint of the
-- DPoP key that its refresh tokens are bound to. `auth_methods`, `authenticated_at`: how and when the user had logged in.
-- `last_used_at`: when tokens were last issued for it.
create table oauth_grants (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  client_id text collate "C" not null,
  user_id text collate "C" not null,
  sid text collate "C",
  scopes text[] not null,
  resources text[] not null,
  org_id text collate "C",
  claims text,
  jkt text collate "C",
  auth_methods text[] not null default '{}',
  authenticated_at timestamptz,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  primary key (realm_id, id),
  foreign key (realm_id, client_id) references oauth_clients (realm_id, id) on delete cascade,
  foreign key (realm_id, user_id) references users (realm_id, id) on delete cascade
);

create index oauth_grants_realm_of on oauth_grants (id, realm_id);
create index oauth_grants_by_user on oauth_grants (realm_id, user_id, id);
create index oauth_grants_by_client on oauth_grants (realm_id, client_id, id);
-- What a user lets one client do, however many grants the others have.
create index oauth_grants_pair on oauth_grants (realm_id, user_id, client_id, id);
-- What ends with a session.
create index oauth_grants_by_sid on oauth_grants (realm_id, sid) where ended_at is null and sid is not null;
create index oauth_grants_by_expiry on oauth_grants (expires_at);
