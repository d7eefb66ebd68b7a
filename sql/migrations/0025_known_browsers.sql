-- Browsers that somebody has logged in with before: each guesses at that user's password on its own account, so that others'
-- guesses don't lock the user out of it. `id` is the SHA-256 of what the cookie holds; `blocked_until`: all its tries are
-- used up, and after that time it is known no more.

create table known_browsers (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  user_id text collate "C" not null,
  made integer not null,
  blocked_until timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (realm_id, id),
  foreign key (realm_id, user_id) references users (realm_id, id) on delete cascade
);

create index known_browsers_by_user on known_browsers (realm_id, user_id, created_at);
create index known_browsers_by_expiry on known_browsers (expires_at);
