-- Mails that stay here, where the service has no mail server (decision 38): empty wherever it has one. `content` is sealed:
-- subject, bodies and source hold what proves a person's address or resets a password.
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

-- A mail that is sent again, as its sender did not hear that it had arrived, is kept once.
create unique index mails_once on mails (realm_id, message_id);
-- Newest first, of all realms; and to one recipient.
create index mails_by_id on mails (id, realm_id);
create index mails_by_recipient on mails (recipient, id);
