-- Clients that register themselves. `client_registration`: whether they may: not at all, with a management key, or whoever they are.
-- `registration_scopes`: which of the realm's own scopes they may ask for; `registration_resources`: the resource servers that they may
-- ask for tokens for.
alter table realms
  add column client_registration text collate "C" not null default 'off' check (client_registration in ('off', 'token', 'open')),
  add column registration_scopes text[] not null default '{}',
  add column registration_resources text[] not null default '{}';

-- How an OAuth client came to be that nobody has created by management. `kind`: with a management key, without one, or by its
-- metadata document. `token_digest`: the SHA-256 of its registration access token; null: it has none. `document_url`: the URL of its
-- metadata document, which is its `client_id`; `document_expires_at`: when its copy here is out of date. `unused_until`: when it is deleted
-- unless it has got a token before; null: it has got one, or is not deleted.
create table oauth_registrations (
  realm_id text collate "C" not null references realms (id),
  client_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('token', 'open', 'document')),
  token_digest text collate "C",
  document_url text collate "C",
  document_expires_at timestamptz,
  unused_until timestamptz,
  primary key (realm_id, client_id),
  unique (realm_id, document_url),
  foreign key (realm_id, client_id) references oauth_clients (realm_id, id) on delete cascade
);

create index oauth_registrations_unused on oauth_registrations (realm_id, unused_until) where unused_until is not null;
create index oauth_registrations_by_end on oauth_registrations (unused_until) where unused_until is not null;
