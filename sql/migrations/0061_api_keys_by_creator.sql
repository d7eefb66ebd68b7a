-- without a transaction: the index is made while rows are written.
-- The keys that an operator created.
drop index concurrently if exists api_keys_by_creator;
create index concurrently api_keys_by_creator on api_keys (created_by, id) where created_by is not null;
