-- The type of the external provider of a login that waits for its second factor.
alter table one_time_tokens add column provider_type text;

-- Only in the row of logins: how many users they were of, and the numbers of logins by their methods.
alter table event_counts add column users integer;
alter table event_counts add column methods jsonb;
