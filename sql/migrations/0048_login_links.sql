-- The link that a start shows, which logs in to the console with the root key once (C308). `login_link_id`: the SHA-256 of the
-- token in the link, which itself is not stored. Null without an unused link.
alter table api_keys add column login_link_id text collate "C";
alter table api_keys add column login_link_expires_at timestamptz;
