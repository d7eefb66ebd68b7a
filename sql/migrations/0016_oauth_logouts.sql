-- Back-channel logout: the clients that are still to be told that a session has ended. A row is written with the end of the
-- session, and deleted when its client has been told. `user_id` may be that of a deleted user.
create table oauth_logouts (
  realm_id text collate "C" not null references realms (id),
  client_id text collate "C" not null,
  sid text collate "C" not null,
  user_id text collate "C" not null,
  attempts integer not null,
  created_at timestamptz not null,
  due_at timestamptz not null,
  primary key (realm_id, client_id, sid),
  foreign key (realm_id, client_id) references oauth_clients (realm_id, id) on delete cascade
);

create index oauth_logouts_by_due on oauth_logouts (realm_id, client_id, due_at, sid);

-- Logouts that clients have asked for and that a browser is on its way to. `id`: the SHA-256 of the secret by which the browser refers
-- to it. `user_id` and `sid`: whom the client says to be logged in, by an ID token; null: it has shown none. `redirect_uri`: a
-- registered address of the client, which gets its `state` back there; null: the browser stays.
create table oauth_logout_requests (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  login_app_id text collate "C" not null,
  client_id text collate "C",
  user_id text collate "C",
  sid text collate "C",
  redirect_uri text,
  state text,
  expires_at timestamptz not null,
  primary key (realm_id, id),
  foreign key (realm_id, login_app_id) references login_policies (realm_id, id) on delete cascade,
  foreign key (realm_id, client_id) references oauth_clients (realm_id, id) on delete cascade
);

create index oauth_logout_requests_by_app on oauth_logout_requests (realm_id, login_app_id);
create index oauth_logout_requests_by_client on oauth_logout_requests (realm_id, client_id);
create index oauth_logout_requests_by_expiry on oauth_logout_requests (expires_at);
