-- Users. `email` and `username_key` are canonical (trimmed, NFKC, lower case); `username` is as typed.

create table users (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  user_type text not null check (user_type in ('human', 'api')),
  state text not null check (state in ('active', 'inactive')),
  email text collate "C",
  email_unique boolean not null,
  email_pending text collate "C",
  email_verification text not null check (email_verification in ('none', 'requested', 'verified')),
  username text,
  username_key text collate "C",
  first_name text,
  last_name text,
  name text not null,
  sort_name text collate "C" not null,
  sort_name_alt text collate "C" not null,
  locale text,
  reference text collate "C",
  custom json not null,
  created_at timestamptz not null,
  last_login_at timestamptz,
  primary key (realm_id, id)
);

create index users_realm_of on users (id, realm_id);
create unique index users_unique_email on users (realm_id, email) where email_unique;
create unique index users_unique_username on users (realm_id, username_key) where username_key is not null;

-- One index for each sort of the list; the missing value sorts first.
create index users_by_email on users (realm_id, (coalesce(email, '')), id);
create index users_by_last_login on users (realm_id, (coalesce(last_login_at, '-infinity'::timestamptz)), id);
create index users_by_name on users (realm_id, sort_name, id);
create index users_by_name_alt on users (realm_id, sort_name_alt, id);
create index users_by_username on users (realm_id, (coalesce(username_key, '')), id);

-- The filters. Inactive users are few, so that a partial index of each sort costs little.
create index users_with_email on users (realm_id, email) where email is not null;
create index users_with_email_pending on users (realm_id, email_pending) where email_pending is not null;
create index users_with_reference on users (realm_id, reference, id) where reference is not null;
create index users_inactive on users (realm_id, id) where state = 'inactive';
create index users_inactive_by_email on users (realm_id, (coalesce(email, '')), id) where state = 'inactive';
create index users_inactive_by_last_login on users (realm_id, (coalesce(last_login_at, '-infinity'::timestamptz)), id)
  where state = 'inactive';
create index users_inactive_by_name on users (realm_id, sort_name, id) where state = 'inactive';
create index users_inactive_by_name_alt on users (realm_id, sort_name_alt, id) where state = 'inactive';
create index users_inactive_by_username on users (realm_id, (coalesce(username_key, '')), id)
  where state = 'inactive';

create table credentials (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  user_id text collate "C" not null,
  credential_type text not null,
  password_hash text,
  created_at timestamptz not null,
  primary key (realm_id, id),
  foreign key (realm_id, user_id) references users (realm_id, id)
);

create index credentials_realm_of on credentials (id, realm_id);
create index credentials_by_user on credentials (realm_id, user_id, id);
create unique index credentials_one_password on credentials (realm_id, user_id) where credential_type = 'password';
