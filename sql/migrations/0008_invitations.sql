-- Invitations. `token_digest`: the SHA-256 of the token, by which an invitation is found. `token`: the token itself, encrypted,
-- which is shown and mailed again. `client_app_id`: the connected app to whose host the mail links. The inviting user, the
-- provider and the app may be deleted before the invitation is: their ids are no foreign keys, and a read joins what still exists.
create table invitations (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  invitation_type text collate "C" not null check (invitation_type in ('org', 'preverify', 'referral', 'request')),
  email text collate "C" not null,
  org_id text collate "C",
  inviting_user_id text collate "C",
  auth_provider_id text collate "C",
  client_app_id text collate "C",
  permissions text[] not null,
  locale text not null,
  token_digest bytea not null,
  token text not null,
  created_at timestamptz not null,
  invited_at timestamptz,
  expires_at timestamptz not null,
  state text collate "C" not null generated always as
    (case when invited_at is null then 'pending' else 'invited' end) stored,
  primary key (realm_id, id),
  foreign key (realm_id, org_id) references orgs (realm_id, id) on delete cascade,
  check (invitation_type <> 'org' or org_id is not null)
);

create index invitations_realm_of on invitations (id, realm_id);
create unique index invitations_by_token on invitations (realm_id, token_digest);
create index invitations_by_expiry on invitations (expires_at);

-- The list has an index for each of its sorts, and one that begins with what it is filtered by: a page is merged from the
-- types and states that it shows.
create index invitations_by_email on invitations (realm_id, email, id);
create index invitations_by_type on invitations (realm_id, invitation_type, state, id);
create index invitations_by_type_and_email on invitations (realm_id, invitation_type, state, email, id);
create index invitations_by_org on invitations (realm_id, org_id, invitation_type, state, id) where org_id is not null;
create index invitations_by_org_and_email on invitations (realm_id, org_id, invitation_type, state, email, id)
  where org_id is not null;
