-- The local mailbox: mails that stay here because the service has no mail server (C38); empty where it has one. `content` is
-- encrypted: subject, bodies and source hold tokens that prove a mailbox or reset a password.
create table mails (
  realm_id text collate "C" not null references realms (id),
  id text collate "C" not null,
  message_id text collate "C" not null,
  sender text collate "C" not null,
  sender_name text,
  recipient text collate "C" not null,
  content text not null,
  created_at timestamptz not null,
  primary key (realm_id, id)
);

-- A mail that is sent a second time, because its sender did not learn of its arrival, is kept once.
create unique index mails_once on mails (realm_id, message_id);
-- The list of all realms, newest first, and that of one recipient.
create index mails_by_id on mails (id, realm_id);
create index mails_by_recipient on mails (recipient, id);
