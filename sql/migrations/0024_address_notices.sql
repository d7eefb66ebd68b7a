-- Whom a mail is for, where that is not to change with the user: the address that an account has as another one is asked for.
alter table deliveries add column addressed_to text collate "C";

-- Realms get the mail that tells that address, as theirs to the new address is set up: the id keeps its time.
insert into app_hooks (realm_id, id, version, state, hook_type, event_types, delay, email_from, email_from_name,
  email_renderer, user_type, default_of, created_at)
select realm_id, 'hk_' || substr(id, 4, 10) || substr(md5(id), 1, 16), version, state, hook_type, event_types, 0,
  email_from, email_from_name, 'markdown', user_type, 'user.email.updating:current', created_at
from app_hooks where default_of = 'user.email.updating' and hook_type = 'email'
on conflict do nothing;
