import { withClient } from "../../test/harness/Database.ts"

/**
 * The tables, each with a primary key. One index supports the list of users and unique emails, another a user's
 * sessions.
 */
const statements = [
  "drop schema if exists plain cascade",
  "create schema plain",
  `create table plain.users (
    realm_id text collate "C" not null,
    id text collate "C" not null,
    state text not null default 'active',
    email text collate "C" not null,
    email_pending text,
    email_verification text not null default 'none',
    username text,
    first_name text,
    last_name text,
    name text not null,
    locale text,
    reference text,
    custom json not null default '{}',
    created_at timestamptz not null,
    last_login_at timestamptz,
    credential_id text,
    password_hash text,
    membership_count integer not null default 0,
    attempts integer not null default 0,
    primary key (realm_id, id)
  )`,
  `create table plain.sessions (
    realm_id text collate "C" not null,
    id text collate "C" not null,
    user_id text collate "C" not null,
    client_app_id text,
    request_ip text,
    request_client text,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    auth_methods text[] not null default '{}',
    authenticated_at timestamptz,
    last_seen_at timestamptz,
    primary key (realm_id, id)
  )`,
  `create table plain.events (
    realm_id text collate "C" not null,
    id text collate "C" not null,
    event_type text not null,
    event_at timestamptz not null,
    user_id text,
    request_ip text,
    request_client text,
    primary key (realm_id, id)
  )`,
  `insert into plain.users select u.realm_id, u.id, u.state, u.email, u.email_pending, u.email_verification, u.username,
      u.first_name, u.last_name, u.name, u.locale, u.reference, u.custom, u.created_at, u.last_login_at, c.id,
      c.password_hash, 0
    from users u left join credentials c on c.realm_id = u.realm_id and c.user_id = u.id`,
  `insert into plain.sessions select realm_id, id, user_id, client_app_id, request_ip, request_client, created_at,
      expires_at
    from sessions`,
  "create unique index on plain.users (realm_id, email)",
  "create index on plain.sessions (realm_id, user_id, id)",
  "vacuum analyze"
]

/** Creates the plain server's tables next to the service's, with the same users and sessions. */
export const createPlainTables = (url: string): Promise<void> =>
  withClient(url, async (client) => {
    for (const statement of statements) await client.query(statement)
  })
