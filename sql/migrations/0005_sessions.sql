create table sessions (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  user_id text collate "C" not null,
  client_app_id text collate "C",
  request_ip text,
  request_client text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (realm_id, id),
  foreign key (realm_id, user_id) references users (realm_id, id)
);

create index sessions_realm_of on sessions (id, realm_id);
create index sessions_by_user on sessions (realm_id, user_id, id);
create index sessions_by_expiry on sessions (expires_at);
