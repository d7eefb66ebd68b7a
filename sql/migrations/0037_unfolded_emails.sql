-- without a transaction: the indexes are made while rows are written.
-- The rows from before migration 0023 whose domain is not in ASCII yet, which the next start of a node folds. They are few or none.
drop index concurrently if exists users_with_unfolded_email;
create index concurrently users_with_unfolded_email on users (id, realm_id) where email ~ '@.*[^ -~]';
drop index concurrently if exists users_with_unfolded_email_pending;
create index concurrently users_with_unfolded_email_pending on users (id, realm_id) where email_pending ~ '@.*[^ -~]';
drop index concurrently if exists invitations_with_unfolded_email;
create index concurrently invitations_with_unfolded_email on invitations (id, realm_id) where email ~ '@.*[^ -~]';
