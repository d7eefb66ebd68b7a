-- Sessions, and tokens that stand for a step on the way to one.

-- `org_id`: the org that the tokens of the session name, which may be gone or left since. `auth_methods`: by which methods its
-- user has logged in, and `authenticated_at`: when; null: nobody has. `last_seen_at`: when the service last checked the
-- session, at most a minute behind.
create table sessions (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  user_id text collate "C" not null,
  client_app_id text collate "C",
  org_id text collate "C",
  request_ip text,
  request_client text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  auth_methods text[] not null default '{}',
  authenticated_at timestamptz,
  last_seen_at timestamptz,
  primary key (realm_id, id),
  foreign key (realm_id, user_id) references users (realm_id, id)
);

create index sessions_realm_of on sessions (id, realm_id);
create index sessions_by_user on sessions (realm_id, user_id, id);
create index sessions_by_expiry on sessions (expires_at);

-- Tokens that can be used once. `id`: the SHA-256 of the token. `secret`: the token itself, encrypted, where it must be shown
-- again. `email`: the address that the token proves. `mailed`: whether the token went out by mail alone; a token that a
-- caller was answered with proves no mailbox. `methods`: what was shown of the login that the token completes. `authenticated_at`: when, if before the token was made, and
-- `browser_id`: the browser whose login the token renews.
create table one_time_tokens (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  purpose text not null check (purpose in ('login', 'password_reset', 'email_verification', 'email_change',
    'email_code')),
  user_id text collate "C" not null,
  email text collate "C",
  secret text,
  codes_tried integer not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  mailed boolean not null default false,
  methods text[] not null default '{}',
  -- Of codes by mail: the mailed token that the code belongs to, and the pending login that it completes.
  mail_token text collate "C",
  login_token text collate "C",
  authenticated_at timestamptz,
  browser_id text collate "C",
  primary key (realm_id, id),
  foreign key (realm_id, user_id) references users (realm_id, id) on delete cascade
);

create index one_time_tokens_by_user on one_time_tokens (realm_id, user_id, purpose);
create index one_time_tokens_by_expiry on one_time_tokens (expires_at);

-- Ceremonies with passkeys that are under way. `id`: the SHA-256 of the token, from which the challenge follows, too.
-- `user_id`: null where the passkey tells who logs in. A row is deleted by the first answer.
create table passkey_challenges (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  ceremony text not null check (ceremony in ('creation', 'login')),
  user_id text collate "C",
  origin text not null,
  rp_id text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (realm_id, id),
  foreign key (realm_id, user_id) references users (realm_id, id) on delete cascade
);

create index passkey_challenges_by_user on passkey_challenges (realm_id, user_id) where user_id is not null;
create index passkey_challenges_by_expiry on passkey_challenges (expires_at);

-- Data of users who have not signed up yet. `id`: the SHA-256 of the signup token.
create table signup_tokens (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  username text,
  email text collate "C",
  first_name text,
  last_name text,
  password_hash text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (realm_id, id)
);

create index signup_tokens_realm_of on signup_tokens (id, realm_id);
create index signup_tokens_by_expiry on signup_tokens (expires_at);
