-- contract after 0036: nodes that don't know account deletions only write the purposes that they know.
-- `account_deletion_days`: after how many days an account is deleted whose user asked for it on the hosted pages; null: users
-- can't delete their accounts. `deletion_at`: when the account will be deleted, or null.
alter table realms add column account_deletion_days integer;
alter table users add column deletion_at timestamptz;
alter table one_time_tokens drop constraint one_time_tokens_purpose_check;
alter table one_time_tokens add constraint one_time_tokens_purpose_check check (purpose in ('login', 'password_reset',
  'email_verification', 'email_change', 'email_code', 'account_deletion')) not valid;
alter table one_time_tokens validate constraint one_time_tokens_purpose_check;
