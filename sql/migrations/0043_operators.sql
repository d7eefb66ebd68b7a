-- The people who log in to the console with their own accounts: users of the system realm (C302). `locked_to`: the only realm
-- that the operator can access, or null for all. `accepted_at`: the first login, or null while the invitation is pending.
create table operators (
  realm_id text collate "C" not null references realms (id),
  user_id text collate "C" not null,
  role text not null check (role in ('viewer', 'support', 'admin', 'owner')),
  locked_to text collate "C",
  created_at timestamptz not null,
  accepted_at timestamptz,
  primary key (realm_id, user_id),
  foreign key (realm_id, user_id) references users (realm_id, id) on delete cascade
);

-- Sessions of operators in the console. `id`: the SHA-256 of the secret in the cookie. A session also ends with the login session
-- `login_session_id`.
create table operator_sessions (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  user_id text collate "C" not null,
  login_session_id text collate "C" not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (realm_id, id),
  foreign key (realm_id, user_id) references operators (realm_id, user_id) on delete cascade
);

create index operator_sessions_by_user on operator_sessions (realm_id, user_id);
create index operator_sessions_by_expiry on operator_sessions (expires_at);

-- The settings of the console, which owners change on its page Team. No row: the defaults.
create table console_settings (
  realm_id text collate "C" primary key references realms (id),
  api_keys boolean not null
);

-- The email of an operator at the time. An actor of the type `user` with an email is an operator.
alter table events add column actor_email text;
alter table org_deletions add column actor_email text;
