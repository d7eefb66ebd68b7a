-- without a transaction: the index is made while rows are written.
-- A realm has any number of the types oauth2 and oidc, and one provider of each other type. Nodes of the previous release
-- can't add providers from now on; all else works.
drop index concurrently if exists auth_providers_one_per_type;
create unique index concurrently auth_providers_one_per_type on auth_providers (realm_id, provider_type)
  where provider_type not in ('oauth2', 'oidc');
drop index concurrently if exists auth_providers_one_of_type;
