-- When whoever a browser belongs to last proved it there; null: when the row was made.
alter table browser_sessions add column proved_at timestamptz;
