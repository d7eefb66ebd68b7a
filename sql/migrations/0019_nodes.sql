-- The processes that serve. `beat` rises every few seconds while a process lives: others judge by that alone, each on its own clock.
-- `key_ids`: the encryption keys that it has.
create table nodes (
  id text collate "C" primary key,
  beat bigint not null,
  key_ids text[] collate "C" not null
);

-- The process that has a claim; null: nobody has.
alter table deliveries add column claimed_by text collate "C";
alter table oauth_logouts add column claimed_by text collate "C";
