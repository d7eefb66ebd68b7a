-- The journal: one row for each event, written in the transaction of the change it tells of.
-- It outlives what it tells of, so that the related ids are no foreign keys.

create table events (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  event_type text collate "C" not null,
  event_at timestamptz not null,
  user_id text collate "C",
  org_id text collate "C",
  membership_id text collate "C",
  session_id text collate "C",
  auth_provider_id text collate "C",
  request_ip text,
  request_client text,
  primary key (realm_id, id)
);

create index events_realm_of on events (id, realm_id);
create index events_by_type on events (realm_id, event_type, id);
create index events_by_user on events (realm_id, user_id, id) where user_id is not null;
create index events_by_org on events (realm_id, org_id, id) where org_id is not null;
create index events_by_membership on events (realm_id, membership_id, id) where membership_id is not null;
create index events_by_session on events (realm_id, session_id, id) where session_id is not null;
create index events_by_auth_provider on events (realm_id, auth_provider_id, id) where auth_provider_id is not null;
