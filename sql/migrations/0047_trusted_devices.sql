-- How many days users can trust a browser, or null if they can't (C310).
alter table realms add column trusted_devices_days integer;

-- Browsers in which a user's password logins skip the second factor. `id`: the SHA-256 of the cookie's value. `request_ip`,
-- `request_client`: of the login in which the user trusted the browser.
create table trusted_devices (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  user_id text collate "C" not null,
  request_ip text,
  request_client text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (realm_id, id),
  foreign key (realm_id, user_id) references users (realm_id, id) on delete cascade
);

create index trusted_devices_by_user on trusted_devices (realm_id, user_id, created_at);
create index trusted_devices_by_expiry on trusted_devices (expires_at);
