-- Hooks, and what is to be delivered of each event to those that hear it.

-- The account itself, as a realm that nobody finds: what belongs to all realms (a hook of null realm) is in it.
insert into realms (id, name, sort_name, state, custom, environment, username_validation_human, require_unique_emails,
  api_key_policy, jwt_algo, jwt_fields, jwt_claims, session_type, session_minutes, api_key_minutes, org_mode, signup,
  email_verification, default_locale, available_locales, resource_links, created_at, deleted_at)
values ('rl_00000000000000000000000000', '', '', 'active', '{}', 'live', 'standard', true, 'hash', 'hs256', '{}', 'v2',
  'managed', 360, 0, 'multi_user', 'closed', 'none', 'en', '{en}', '[]', 'epoch', 'epoch');

-- `event_types` by their stored names; none: every event. `secret` and `previous_secret` are sealed: the second signs too
-- until its time. `default_of`: a mail every realm begins with; its null subject and template are this release's own.
create table app_hooks (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  version text not null check (version in ('v1', 'v2')),
  state text collate "C" not null check (state in ('active', 'inactive')),
  hook_type text collate "C" not null check (hook_type in ('webhook', 'email')),
  event_types text[] not null,
  delay integer not null,
  destination text,
  secret text,
  previous_secret text,
  previous_secret_until timestamptz,
  email_from text,
  email_from_name text,
  email_renderer text check (email_renderer in ('html', 'html+text', 'markdown', 'text')),
  email_subject text,
  email_template text,
  email_to text,
  user_type text check (user_type in ('all', 'human', 'api')),
  default_of text,
  failing_since timestamptz,
  created_at timestamptz not null,
  primary key (realm_id, id),
  check (hook_type <> 'webhook' or num_nulls(destination, secret) = 0),
  check (hook_type <> 'email' or num_nulls(email_renderer, user_type) = 0),
  check (hook_type <> 'email' or cardinality(event_types) = 1),
  check (hook_type <> 'email' or default_of is not null or num_nulls(email_subject, email_template) = 0)
);

create index app_hooks_by_id on app_hooks (id, realm_id);
create index app_hooks_by_type on app_hooks (realm_id, hook_type, id);
create index app_hooks_by_state on app_hooks (realm_id, state, id);

alter table events add column hook_id text collate "C";
create index events_by_hook on events (realm_id, hook_id, id) where hook_id is not null;

-- The outbox: one row for each hook that hears an event, written in the transaction of the change. `due_at` is when it is
-- tried next, or, while it is being tried, when whoever does has lost it.
create table deliveries (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  event_id text collate "C" not null,
  hook_realm_id text collate "C" not null,
  hook_id text collate "C" not null,
  hook_type text collate "C" not null,
  state text collate "C" not null check (state in ('in_progress', 'completed', 'failed', 'canceled')),
  attempts integer not null,
  created_at timestamptz not null,
  due_at timestamptz not null,
  last_attempt_at timestamptz,
  last_destination text collate "C",
  last_result text,
  primary key (realm_id, id),
  foreign key (realm_id, event_id) references events (realm_id, id) on delete cascade
);

create index deliveries_by_event on deliveries (realm_id, event_id, id);
create index deliveries_due on deliveries (hook_realm_id, hook_id, due_at, id) where state = 'in_progress';
create index deliveries_by_hook on deliveries (created_at, hook_realm_id, hook_id);
create index deliveries_to_recipient on deliveries (realm_id, last_destination, last_attempt_at)
  where hook_type = 'email';
