-- Devices that ask to be logged in by a user elsewhere (RFC 8628). `id`: the SHA-256 of the device code. `app_id`: the app on whose
-- page the user code is entered. `request_ip`, `request_client`: where the device asked from. `user_id`, `browser_id`: who has entered
-- the user code, and in which browser; nobody else can decide. `auth_methods`, `authenticated_at`: how and when that user had
-- logged in. `poll_seconds`: how long the device has to wait between two questions; `polled_at`: when it last asked.
create table oauth_devices (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  client_id text collate "C" not null,
  app_id text collate "C" not null,
  user_code text collate "C" not null,
  scopes text[] not null,
  resources text[] not null,
  request_ip text,
  request_client text,
  state text collate "C" not null check (state in ('pending', 'approved', 'denied', 'redeemed')),
  user_id text collate "C",
  browser_id text collate "C",
  auth_methods text[] not null default '{}',
  authenticated_at timestamptz,
  poll_seconds integer not null,
  polled_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (realm_id, id),
  unique (realm_id, user_code),
  foreign key (realm_id, client_id) references oauth_clients (realm_id, id) on delete cascade,
  foreign key (realm_id, app_id) references login_policies (realm_id, id) on delete cascade,
  foreign key (realm_id, user_id) references users (realm_id, id) on delete cascade
);

create index oauth_devices_by_client on oauth_devices (realm_id, client_id);
create index oauth_devices_by_app on oauth_devices (realm_id, app_id);
create index oauth_devices_by_user on oauth_devices (realm_id, user_id);
create index oauth_devices_by_expiry on oauth_devices (expires_at);
