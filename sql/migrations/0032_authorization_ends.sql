-- The way back to a client whose login can't be completed: its home page, and where a login to it begins.
alter table oauth_clients add column client_uri text;
alter table oauth_clients add column initiate_login_uri text;

-- The pushed request that a browser's request was made from: it can be brought again until one of these logins has ended.
alter table oauth_requests add column pushed_id text collate "C";
