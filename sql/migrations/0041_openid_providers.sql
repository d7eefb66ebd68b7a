-- contract after 0033: nodes that know the other columns only write the types that they know.
-- Apple (team_id, key_id, and the private key in client_secret), Microsoft (tenant), and any OpenID Provider by its issuer.
alter table auth_providers add column team_id text;
alter table auth_providers add column key_id text;
alter table auth_providers add column tenant text;
alter table auth_providers add column issuer text;
alter table auth_providers add column response_mode text;
alter table auth_providers drop constraint auth_providers_provider_type_check;
alter table auth_providers add constraint auth_providers_provider_type_check check (provider_type in ('password', 'totp',
  'passkey', 'email_code', 'apple', 'facebook', 'github', 'google', 'linkedin', 'microsoft', 'slack', 'yahoo', 'oauth2',
  'oidc')) not valid;
alter table auth_providers validate constraint auth_providers_provider_type_check;
alter table auth_providers add constraint auth_providers_apple_check
  check (provider_type <> 'apple' or num_nulls(team_id, key_id) = 0) not valid;
alter table auth_providers validate constraint auth_providers_apple_check;
alter table auth_providers add constraint auth_providers_microsoft_check
  check (provider_type <> 'microsoft' or tenant is not null) not valid;
alter table auth_providers validate constraint auth_providers_microsoft_check;
alter table auth_providers add constraint auth_providers_oidc_check check (provider_type <> 'oidc'
  or (issuer is not null and response_mode is not null and response_mode in ('query', 'form_post'))) not valid;
alter table auth_providers validate constraint auth_providers_oidc_check;
