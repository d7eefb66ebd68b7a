-- Events, the hooks that hear them, and the outbox of what is to be delivered.

-- The journal: a row for each event, written in the transaction of the change it records. An event outlives the resources it
-- names, so their ids are no foreign keys. `token_id`: the one-time token that the event carries; the token is gone from the
-- event once it was used or has expired. `actor_id`: of the key, user or app that caused it, or the name of a job. `details`: what types such as
-- `realm.imported` tell beyond ids.
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
  token_id text collate "C",
  invitation_id text collate "C",
  hook_id text collate "C",
  login_policy_id text collate "C",
  api_key_id text collate "C",
  actor_type text not null check (actor_type in ('api_key', 'user', 'client_app', 'system')),
  actor_id text collate "C",
  changed text[] collate "C" not null,
  details jsonb,
  primary key (realm_id, id)
);

create index events_realm_of on events (id, realm_id);
create index events_by_type on events (realm_id, event_type, id);
-- A user and an org may have very many events: a page of theirs is put together from those of each type.
create index events_by_user on events (realm_id, user_id, event_type, id) where user_id is not null;
create index events_by_org on events (realm_id, org_id, event_type, id) where org_id is not null;
-- So may a key, an app and a job.
create index events_by_actor on events (realm_id, actor_id, event_type, id) where actor_id is not null;
create index events_by_membership on events (realm_id, membership_id, id) where membership_id is not null;
create index events_by_session on events (realm_id, session_id, id) where session_id is not null;
create index events_by_auth_provider on events (realm_id, auth_provider_id, id) where auth_provider_id is not null;
create index events_by_invitation on events (realm_id, invitation_id, id) where invitation_id is not null;
create index events_by_hook on events (realm_id, hook_id, id) where hook_id is not null;
create index events_by_login_policy on events (realm_id, login_policy_id, id) where login_policy_id is not null;
create index events_by_api_key on events (realm_id, api_key_id, id) where api_key_id is not null;

-- How many events of a type a realm has of a day that is over, in UTC, counted when statistics first show that day. `day`: since 1970.
create table event_counts (
  realm_id text collate "C" not null references realms (id),
  day integer not null,
  event_type text collate "C" not null,
  count integer not null,
  primary key (realm_id, day, event_type)
);

-- The members that an update has changed: a row for each, so that updates are found by one of them. What else updates are
-- listed by lies beside it.
create table event_changes (
  realm_id text collate "C" not null,
  id text collate "C" not null,
  member text collate "C" not null,
  event_type text collate "C" not null,
  event_at timestamptz not null,
  user_id text collate "C",
  org_id text collate "C",
  actor_id text collate "C",
  primary key (realm_id, id, member),
  foreign key (realm_id, id) references events (realm_id, id) on delete cascade
);

create index event_changes_by_member on event_changes (realm_id, member, event_type, id);
create index event_changes_by_user on event_changes (realm_id, user_id, member, event_type, id) where user_id is not null;
create index event_changes_by_org on event_changes (realm_id, org_id, member, event_type, id) where org_id is not null;
create index event_changes_by_actor on event_changes (realm_id, actor_id, member, event_type, id)
  where actor_id is not null;

-- Webhooks and e-mail hooks. `event_types`: their stored names; none: every event. `secret` and `previous_secret` are
-- encrypted; the second one signs too until `previous_secret_until`. `default_of`: the default mail that this hook is; a null
-- subject or template of it is this release's own text.
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
create index app_hooks_by_kind on app_hooks (realm_id, state, hook_type, id);

-- The outbox: a row for each hook that hears an event, written in the transaction of the change. `due_at`: when the next
-- attempt is due; during an attempt, when its lease ends. `addressed_to`: the recipient of a mail where it must not follow the
-- user's e-mail: the address that an account still has while another one is being confirmed. `language`: of a mail
-- that a visitor asked for on a page; null: that of the user, else of the realm.
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
  addressed_to text collate "C",
  language text collate "C",
  primary key (realm_id, id),
  foreign key (realm_id, event_id) references events (realm_id, id) on delete cascade
);

create index deliveries_by_event on deliveries (realm_id, event_id, id);
create index deliveries_due on deliveries (hook_realm_id, hook_id, due_at, id) where state = 'in_progress';
create index deliveries_of_hook on deliveries (hook_realm_id, hook_id, state, id);
create index deliveries_failed on deliveries (realm_id, hook_realm_id, hook_type, id) where state = 'failed';
create index deliveries_to_recipient on deliveries (realm_id, last_destination, last_attempt_at)
  where hook_type = 'email';
