-- How an auth provider of type oauth2 takes our client secret; null to try HTTP Basic first, then the body.
alter table auth_providers add column token_endpoint_auth_method text;
