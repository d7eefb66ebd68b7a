-- Logins that began and are to come back from a provider elsewhere. `id` is the SHA-256 of the state that it hands back;
-- `secret`, sealed, holds what shows it that we are who asked: the verifier of the code challenge, and a nonce.
-- `nonce_digest` is the SHA-256 of what the caller keeps in its own session.
create table oauth_states (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  auth_provider_id text collate "C" not null,
  redirect_uri text not null,
  nonce_digest text collate "C",
  secret text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (realm_id, id),
  foreign key (realm_id, auth_provider_id) references auth_providers (realm_id, id) on delete cascade
);

create index oauth_states_by_provider on oauth_states (realm_id, auth_provider_id);
create index oauth_states_by_expiry on oauth_states (expires_at);

-- Of a password: since when nobody logs in by it. Whoever set it had not proved the user's e-mail, and somebody else has.
alter table credentials add column locked_at timestamptz;
