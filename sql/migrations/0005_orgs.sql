-- Orgs and who belongs to them.

-- `deleted_at`: since when an org is deleted that has members left to delete; no query finds it.
create table orgs (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  state text not null check (state in ('active', 'inactive', 'closed')),
  name text not null,
  sort_name text collate "C" not null,
  reference text collate "C",
  custom json not null,
  created_at timestamptz not null,
  deleted_at timestamptz,
  primary key (realm_id, id)
);

create index orgs_realm_of on orgs (id, realm_id);

-- The list is merged from the states that it shows.
create index orgs_by_id on orgs (realm_id, state, id) where deleted_at is null;
create index orgs_by_name on orgs (realm_id, state, sort_name, id) where deleted_at is null;
create index orgs_with_reference on orgs (realm_id, reference, state, sort_name, id)
  where reference is not null and deleted_at is null;

-- Deleted orgs with members left to delete: written with the request, worked off by an actor. `request_ip`,
-- `request_client`: of the request, for the events that are still to be recorded. Orgs take turns: the one with the lowest
-- `turn` is next.
create table org_deletions (
  realm_id text collate "C" not null,
  org_id text collate "C" not null,
  requested_at timestamptz not null,
  actor_type text not null,
  actor_id text collate "C",
  request_ip text,
  request_client text,
  turn bigint not null default 0,
  primary key (realm_id, org_id),
  foreign key (realm_id, org_id) references orgs (realm_id, id) on delete cascade
);

-- `org_id` null: a membership that belongs to the user alone (v1).
create table memberships (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  user_id text collate "C" not null,
  org_id text collate "C",
  permissions text[] not null,
  custom json not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  primary key (realm_id, id),
  foreign key (realm_id, user_id) references users (realm_id, id),
  foreign key (realm_id, org_id) references orgs (realm_id, id)
);

create index memberships_realm_of on memberships (id, realm_id);
create unique index memberships_pair on memberships (realm_id, user_id, org_id);
create unique index memberships_without_org on memberships (realm_id, user_id) where org_id is null;
create index memberships_by_user on memberships (realm_id, user_id, id);
create index memberships_by_org on memberships (realm_id, org_id, id);
create index memberships_by_expiry on memberships (expires_at) where expires_at is not null;
