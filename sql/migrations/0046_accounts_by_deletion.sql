-- without a transaction: the index is made while rows are written.
-- The accounts whose deletion is due.
drop index concurrently if exists users_by_deletion;
create index concurrently users_by_deletion on users (deletion_at) where deletion_at is not null;
