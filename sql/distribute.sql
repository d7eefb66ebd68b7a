-- Distributes the schema by realm on Citus 12 or later: generated from the catalog by test/sql/postgres/Distribution.test.ts.
-- docs/scale.md lists the known gaps. Run it once, on an empty database prepared by sallyport migrate.

-- A table copied to every node can't have foreign keys to a distributed table.
alter table api_keys drop constraint api_keys_realm_id_fkey;
alter table login_policies drop constraint login_policies_realm_id_fkey;
alter table released_subdomains drop constraint released_subdomains_realm_id_fkey;

-- Looked up by values that are unique across realms: copied to every node.
select create_reference_table('api_keys');
select create_reference_table('login_policies');
select create_reference_table('console_sessions');
select create_reference_table('nodes');
select create_reference_table('released_subdomains');

-- Distributed by realm: all rows of a realm are on the same node.
select create_distributed_table('realms', 'id', shard_count => 128);
select create_distributed_table('api_key_peppers', 'realm_id', colocate_with => 'realms');
select create_distributed_table('app_hooks', 'realm_id', colocate_with => 'realms');
select create_distributed_table('app_logos', 'realm_id', colocate_with => 'realms');
select create_distributed_table('users', 'realm_id', colocate_with => 'realms');
select create_distributed_table('attempts', 'realm_id', colocate_with => 'realms');
select create_distributed_table('auth_providers', 'realm_id', colocate_with => 'realms');
select create_distributed_table('sessions', 'realm_id', colocate_with => 'realms');
select create_distributed_table('browser_sessions', 'realm_id', colocate_with => 'realms');
select create_distributed_table('console_settings', 'realm_id', colocate_with => 'realms');
select create_distributed_table('credentials', 'realm_id', colocate_with => 'realms');
select create_distributed_table('events', 'realm_id', colocate_with => 'realms');
select create_distributed_table('deliveries', 'realm_id', colocate_with => 'realms');
select create_distributed_table('event_changes', 'realm_id', colocate_with => 'realms');
select create_distributed_table('event_counts', 'realm_id', colocate_with => 'realms');
select create_distributed_table('id_imports', 'realm_id', colocate_with => 'realms');
select create_distributed_table('orgs', 'realm_id', colocate_with => 'realms');
select create_distributed_table('invitations', 'realm_id', colocate_with => 'realms');
select create_distributed_table('jwt_keys', 'realm_id', colocate_with => 'realms');
select create_distributed_table('known_browsers', 'realm_id', colocate_with => 'realms');
select create_distributed_table('last_logins', 'realm_id', colocate_with => 'realms');
select create_distributed_table('mails', 'realm_id', colocate_with => 'realms');
select create_distributed_table('memberships', 'realm_id', colocate_with => 'realms');
select create_distributed_table('oauth_clients', 'realm_id', colocate_with => 'realms');
select create_distributed_table('oauth_client_secrets', 'realm_id', colocate_with => 'realms');
select create_distributed_table('oauth_codes', 'realm_id', colocate_with => 'realms');
select create_distributed_table('oauth_consents', 'realm_id', colocate_with => 'realms');
select create_distributed_table('oauth_devices', 'realm_id', colocate_with => 'realms');
select create_distributed_table('oauth_grants', 'realm_id', colocate_with => 'realms');
select create_distributed_table('oauth_logout_requests', 'realm_id', colocate_with => 'realms');
select create_distributed_table('oauth_logouts', 'realm_id', colocate_with => 'realms');
select create_distributed_table('oauth_proofs', 'realm_id', colocate_with => 'realms');
select create_distributed_table('oauth_refresh_tokens', 'realm_id', colocate_with => 'realms');
select create_distributed_table('oauth_registrations', 'realm_id', colocate_with => 'realms');
select create_distributed_table('oauth_requests', 'realm_id', colocate_with => 'realms');
select create_distributed_table('oauth_revoked_tokens', 'realm_id', colocate_with => 'realms');
select create_distributed_table('oauth_states', 'realm_id', colocate_with => 'realms');
select create_distributed_table('one_time_tokens', 'realm_id', colocate_with => 'realms');
select create_distributed_table('operators', 'realm_id', colocate_with => 'realms');
select create_distributed_table('operator_sessions', 'realm_id', colocate_with => 'realms');
select create_distributed_table('org_deletions', 'realm_id', colocate_with => 'realms');
select create_distributed_table('org_domains', 'realm_id', colocate_with => 'realms');
select create_distributed_table('passkey_challenges', 'realm_id', colocate_with => 'realms');
select create_distributed_table('passkeys', 'realm_id', colocate_with => 'realms');
select create_distributed_table('realm_changes', 'realm_id', colocate_with => 'realms');
select create_distributed_table('realm_jobs', 'realm_id', colocate_with => 'realms');
select create_distributed_table('retired_public_keys', 'realm_id', colocate_with => 'realms');
select create_distributed_table('signup_tokens', 'realm_id', colocate_with => 'realms');
select create_distributed_table('trusted_devices', 'realm_id', colocate_with => 'realms');
select create_distributed_table('unknown_attempts', 'realm_id', colocate_with => 'realms');

-- Belong to an API key or an address instead of a realm.
select create_distributed_table('idempotent_requests', 'api_key_id', colocate_with => 'none');
select create_distributed_table('quotas', 'subject', colocate_with => 'none');
