-- Who gets a fresh token from reading a session: everyone who may read one, or keys from level `write` alone.
alter table realms add column session_tokens text collate "C" not null default 'all'
  check (session_tokens in ('all', 'write'));
