-- What browsers keep of a login on a connected app's host. `id` is the SHA-256 of what the cookie holds; `session_id` is
-- null where the realm's sessions are unmanaged.

create table browser_sessions (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  login_policy_id text collate "C" not null,
  user_id text collate "C" not null,
  session_id text collate "C",
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (realm_id, id),
  foreign key (realm_id, login_policy_id) references login_policies (realm_id, id) on delete cascade,
  foreign key (realm_id, user_id) references users (realm_id, id) on delete cascade,
  foreign key (realm_id, session_id) references sessions (realm_id, id) on delete cascade
);

create index browser_sessions_by_app on browser_sessions (realm_id, login_policy_id);
create index browser_sessions_by_user on browser_sessions (realm_id, user_id);
create index browser_sessions_by_session on browser_sessions (realm_id, session_id);
create index browser_sessions_by_expiry on browser_sessions (expires_at);
