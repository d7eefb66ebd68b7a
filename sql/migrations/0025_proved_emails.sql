-- The address that somebody has proved last to be a user's: the present email is proved if it is this one. Null, and
-- `ever_verified`: the email at the time of the migration was; nothing writes that column any more.
alter table users add column proved_email text collate "C";
