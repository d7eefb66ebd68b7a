-- Subdomains that no connected app has any more, kept for the realm that had them: to everyone else they are taken until they
-- expire. A deleted realm keeps them for nobody.
create table released_subdomains (
  realm_id text collate "C" not null references realms (id),
  subdomain text collate "C" not null,
  expires_at timestamptz not null,
  -- Across realms, as the subdomains of apps are: the last realm that had one keeps it.
  primary key (subdomain)
);

create index released_subdomains_by_realm on released_subdomains (realm_id);
create index released_subdomains_by_expiry on released_subdomains (expires_at);
