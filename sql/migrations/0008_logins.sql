-- Wrong passwords and codes of a user, counted before each is looked at.
create table attempts (
  realm_id text collate "C" not null references realms (id),
  user_id text collate "C" not null,
  kind text not null check (kind in ('password', 'code')),
  made integer not null,
  last_at timestamptz not null,
  blocked_until timestamptz,
  primary key (realm_id, user_id, kind),
  foreign key (realm_id, user_id) references users (realm_id, id) on delete cascade
);

-- Tokens that can be used once. `id` is the SHA-256 of the token; `secret`, sealed, the token itself, where it must be
-- shown again; `email` the address it proves.
create table one_time_tokens (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  purpose text not null check (purpose in ('login', 'password_reset', 'email_verification', 'email_change')),
  user_id text collate "C" not null,
  email text collate "C",
  secret text,
  codes_tried integer not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (realm_id, id),
  foreign key (realm_id, user_id) references users (realm_id, id) on delete cascade
);

create index one_time_tokens_by_user on one_time_tokens (realm_id, user_id, purpose);
create index one_time_tokens_by_expiry on one_time_tokens (expires_at);

-- Data of users who have not signed up yet, found by the SHA-256 of the signup token.
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

-- The one-time token an event carries: gone from it when it was used or has expired.
alter table events add column token_id text collate "C";
