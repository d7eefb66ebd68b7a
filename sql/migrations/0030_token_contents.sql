-- What ID tokens say about users: the claims of the granted scopes `profile` and `email`, or none (`minimal`).
alter table oauth_clients add column id_token_claims text collate "C" not null default 'scopes';
alter table oauth_clients add constraint oauth_clients_id_token_claims check (id_token_claims in ('scopes', 'minimal')) not valid;
alter table oauth_clients validate constraint oauth_clients_id_token_claims;

-- The longest token of a realm, in bytes: what does not fit is left out (C277).
alter table realms add column jwt_max_bytes integer not null default 12000;
