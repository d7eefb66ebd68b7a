-- Email domains that orgs prove to control with a TXT record. `domain`: in ASCII. `token`: the record's secret part. `check_at`: the
-- next daily check of a verified domain, or null. `missed_since`: the first of the checks since the last success that did not find
-- the record. `problem`: the result of the last check if it failed. `found`: the records found instead.
create table org_domains (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  org_id text collate "C" not null,
  domain text collate "C" not null,
  state text not null check (state in ('pending', 'verified', 'lost')),
  token text not null,
  problem text,
  found text[] not null default '{}',
  created_at timestamptz not null,
  verified_at timestamptz,
  checked_at timestamptz,
  check_at timestamptz,
  missed_since timestamptz,
  primary key (realm_id, id),
  foreign key (realm_id, org_id) references orgs (realm_id, id) on delete cascade
);

-- Only one org at a time owns a domain.
create unique index org_domains_owner on org_domains (realm_id, domain) where state = 'verified';
create unique index org_domains_by_org on org_domains (realm_id, org_id, domain);
create index org_domains_by_domain on org_domains (realm_id, domain, id);
create index org_domains_by_state on org_domains (realm_id, state, id);
create index org_domains_due on org_domains (check_at) where check_at is not null;
