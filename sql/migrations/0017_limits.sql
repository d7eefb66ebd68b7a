-- How much of each limit is used up, in windows of fixed length: nodes take from it in blocks. `limits` of a realm: what it
-- has in place of the defaults.

create table quotas (
  limit_name text collate "C" not null,
  subject text collate "C" not null,
  window_at timestamptz not null,
  used integer not null,
  expires_at timestamptz not null,
  primary key (limit_name, subject, window_at)
);

create index quotas_by_expiry on quotas (expires_at);

alter table realms add column limits json not null default '{}';
