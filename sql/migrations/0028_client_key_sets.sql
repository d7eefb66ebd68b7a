-- Where an OAuth client publishes the keys of its assertions. Null: nowhere, or they are in jwks.
alter table oauth_clients add column jwks_uri text;
