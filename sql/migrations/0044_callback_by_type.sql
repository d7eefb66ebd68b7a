-- Whether a provider's callback URL contains its type instead of its ID, so that the URL is known before the provider exists.
alter table auth_providers add column callback_by_type boolean not null default false;
