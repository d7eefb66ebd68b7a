-- without a transaction: the index is made while users are written.
-- The few users whose e-mail is shown in another form than it is sent, for searches by its beginning.
drop index concurrently if exists users_with_email_shown;
create index concurrently users_with_email_shown on users (realm_id, email_shown) where email_shown is not null;
