-- The realms whose users were imported with the IDs of another service.
create table id_imports (
  realm_id text collate "C" not null references realms (id),
  began_at timestamptz not null,
  primary key (realm_id)
);
