-- Retired keys, for who clears away those whose grace time is over.
create index jwt_keys_by_expiry on jwt_keys (expired_at) where expired_at is not null;
