-- Which realms have changed: so processes learn that what they keep of a realm in memory is out of date (ADR-0022). `xid`: the
-- transaction that changed it. '' in place of a realm: rows of this transaction and earlier ones are gone.
create table realm_changes (
  xid xid8 not null,
  realm_id text collate "C" not null,
  primary key (xid, realm_id)
);

-- A row is a transaction's own, so that nobody waits for anybody.
create function record_change_of_realm() returns trigger language plpgsql as $$
begin
  insert into realm_changes (xid, realm_id) values (pg_current_xact_id(), old.id) on conflict do nothing;
  return null;
end $$;

create function record_change_in_realm() returns trigger language plpgsql as $$
begin
  insert into realm_changes (xid, realm_id) values (pg_current_xact_id(), coalesce(new.realm_id, old.realm_id))
  on conflict do nothing;
  return null;
end $$;

-- What is not found is not kept in memory, so that new realms and clients change nothing.
create trigger record_change after update or delete on realms
  for each row execute function record_change_of_realm();
create trigger record_change after insert or delete on realm_jobs
  for each row execute function record_change_in_realm();
create trigger record_change after insert or update or delete on jwt_keys
  for each row execute function record_change_in_realm();
create trigger record_change after update or delete on login_policies
  for each row execute function record_change_in_realm();
create trigger record_change after update or delete on oauth_clients
  for each row execute function record_change_in_realm();
create trigger record_change after insert or update or delete on oauth_client_secrets
  for each row execute function record_change_in_realm();
create trigger record_change after insert or update or delete on oauth_registrations
  for each row execute function record_change_in_realm();
