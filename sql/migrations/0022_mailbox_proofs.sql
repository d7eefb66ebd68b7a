-- Whether the e-mail that a user has was ever proved: what a proof for the first time shuts out, a later one leaves alone.
alter table users add column ever_verified boolean not null default false;
update users set ever_verified = true where email_verification = 'verified';

-- When all of a user's sessions were ended at once: what a login of before that time leaves behind comes too late.
alter table users add column sessions_ended_at timestamptz;

-- Whether a token went by mail alone: one that a caller got in an answer proves no mailbox.
alter table one_time_tokens add column mailed boolean not null default false;
