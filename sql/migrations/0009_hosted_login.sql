-- Hosted login: connected apps, and what a browser's login on their pages leaves behind.

-- Connected apps: where the hosted pages of a realm are, how they look and where they lead. `header` and `footer` are stored
-- as typed. Apps of other client types than `standard` are OAuth clients (table `oauth_clients`), which have no pages.
create table login_policies (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  state text collate "C" not null check (state in ('active', 'inactive')),
  name text not null,
  sort_name text collate "C" not null,
  client_type text collate "C" not null check (client_type in ('standard', 'web', 'spa', 'native', 'machine', 'device')),
  subdomain text collate "C",
  header text,
  footer text,
  external_css text,
  login_handler text,
  signup_handler text,
  redirect_uris text[] not null,
  logout_uris text[] not null,
  signup_mode text collate "C" not null check (signup_mode in ('none', 'user', 'user_org', 'user_token')),
  require_password_confirmation boolean not null,
  require_names boolean not null,
  require_org_name boolean not null,
  allow_jsonp boolean not null,
  auto_continue boolean not null,
  allow_invitations boolean not null,
  invitation_permissions text[] not null,
  appearance_name text,
  logo text collate "C",
  dark_logo text collate "C",
  color text collate "C",
  dark_color text collate "C",
  created_at timestamptz not null,
  primary key (realm_id, id),
  check ((client_type = 'standard') = (subdomain is not null))
);

create index login_policies_realm_of on login_policies (id, realm_id);
create index login_policies_by_name on login_policies (realm_id, sort_name, id);
-- Across realms: an app is found by the host of a browser's request.
create unique index login_policies_subdomain on login_policies (subdomain);

-- The logos of connected apps, which pages load by themselves: a file is named after the digest of its content.
create table app_logos (
  realm_id text collate "C" not null,
  login_policy_id text collate "C" not null,
  file text collate "C" not null,
  content bytea not null,
  primary key (realm_id, login_policy_id, file),
  foreign key (realm_id, login_policy_id) references login_policies (realm_id, id) on delete cascade
);

-- Subdomains that no connected app has any more. Until it expires, only the realm that had a subdomain may take it again; a
-- deleted realm keeps none.
create table released_subdomains (
  realm_id text collate "C" not null references realms (id),
  subdomain text collate "C" not null,
  expires_at timestamptz not null,
  -- Across realms, like the subdomains of apps: the last realm that had a subdomain keeps it.
  primary key (subdomain)
);

create index released_subdomains_by_expiry on released_subdomains (expires_at);

-- What a browser's login leaves behind on a connected app's host. `id`: the SHA-256 of the cookie's value. `session_id` is
-- null where the realm's sessions are unmanaged. `proved_at`: when the user last authenticated in this browser; null: when the
-- row was made. `org_id`: the org that the user has last chosen in this browser, which may be gone or left since. `signup_notice`: the
-- app is still to be told that the user has just signed up, for the first time (`due`) or once more (`repeat`).
-- `auth_methods`, `authenticated_at`: how the user has logged in, where no session says so because sessions are unmanaged.
-- `sid`: the session as OAuth clients know it: the id of the session, also of one that is stored nowhere else.
create table browser_sessions (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  login_policy_id text collate "C" not null,
  user_id text collate "C" not null,
  session_id text collate "C",
  sid text collate "C" not null,
  org_id text collate "C",
  created_at timestamptz not null,
  expires_at timestamptz not null,
  proved_at timestamptz,
  signup_notice text collate "C" check (signup_notice in ('due', 'repeat')),
  auth_methods text[] not null default '{}',
  authenticated_at timestamptz,
  primary key (realm_id, id),
  foreign key (realm_id, login_policy_id) references login_policies (realm_id, id) on delete cascade,
  foreign key (realm_id, user_id) references users (realm_id, id) on delete cascade,
  foreign key (realm_id, session_id) references sessions (realm_id, id) on delete cascade
);

create index browser_sessions_by_app on browser_sessions (realm_id, login_policy_id);
create index browser_sessions_by_user on browser_sessions (realm_id, user_id);
create index browser_sessions_by_session on browser_sessions (realm_id, session_id);
create index browser_sessions_by_sid on browser_sessions (realm_id, sid);
create index browser_sessions_by_expiry on browser_sessions (expires_at);

-- Logins at an external provider that are under way. `id`: the SHA-256 of the `state` parameter that the provider hands back.
-- `secret`: the PKCE code verifier and the nonce, encrypted. `nonce_digest`: the SHA-256 of the value that the caller keeps in
-- its own session. `client_app_id`, `return_to`: the connected app on whose host a browser's login began, and where that app
-- hears its outcome. `own_page`: the hosted page that a login goes on at in place of the app.
create table oauth_states (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  auth_provider_id text collate "C" not null,
  redirect_uri text not null,
  nonce_digest text collate "C",
  secret text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  client_app_id text collate "C",
  return_to text,
  own_page text collate "C",
  primary key (realm_id, id),
  foreign key (realm_id, auth_provider_id) references auth_providers (realm_id, id) on delete cascade
);

create index oauth_states_by_provider on oauth_states (realm_id, auth_provider_id);
create index oauth_states_by_expiry on oauth_states (expires_at);
