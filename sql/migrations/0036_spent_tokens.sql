-- When a token of a password reset was used: its row is kept as a trace, and lets nobody in. The others are deleted when used.
alter table one_time_tokens add column consumed_at timestamptz;
