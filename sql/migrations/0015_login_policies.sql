-- Connected apps: where the hosted pages of a realm are, how they look and where they lead. `header` and `footer` are as
-- they were typed.
create table login_policies (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  state text collate "C" not null check (state in ('active', 'inactive')),
  name text not null,
  sort_name text collate "C" not null,
  subdomain text collate "C" not null,
  header text,
  footer text,
  external_css text,
  login_handler text,
  signup_handler text,
  redirect_uris text[] not null,
  signup_mode text collate "C" not null check (signup_mode in ('none', 'user', 'user_org', 'user_token')),
  require_password_confirmation boolean not null,
  require_names boolean not null,
  require_org_name boolean not null,
  allow_jsonp boolean not null,
  created_at timestamptz not null,
  primary key (realm_id, id)
);

create index login_policies_realm_of on login_policies (id, realm_id);
create index login_policies_by_name on login_policies (realm_id, sort_name, id);
-- Across realms: an app is found by the host that a browser asked for.
create unique index login_policies_subdomain on login_policies (subdomain);

alter table events add column login_policy_id text collate "C";
create index events_by_login_policy on events (realm_id, login_policy_id, id) where login_policy_id is not null;
