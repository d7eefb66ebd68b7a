import { withClient } from "../../test/harness/Database.ts"

const statements = [
  "create schema if not exists plain",
  `create table plain.oauth_clients (
    realm_id text collate "C" not null,
    id text collate "C" not null,
    secret_digest text collate "C" not null,
    primary key (realm_id, id)
  )`,
  `create table plain.oauth_people (
    realm_id text collate "C" not null,
    id text collate "C" not null,
    email text not null,
    name text not null,
    primary key (realm_id, id)
  )`,
  `create table plain.oauth_codes (
    realm_id text collate "C" not null,
    id text collate "C" not null,
    client_id text collate "C" not null,
    user_id text collate "C" not null,
    used_at timestamptz,
    primary key (realm_id, id)
  )`,
  `create table plain.oauth_grants (
    realm_id text collate "C" not null,
    id text collate "C" not null,
    client_id text collate "C" not null,
    user_id text collate "C" not null,
    ended_at timestamptz,
    primary key (realm_id, id)
  )`,
  `create table plain.oauth_refresh_tokens (
    realm_id text collate "C" not null,
    id text collate "C" not null,
    grant_id text collate "C" not null,
    used_at timestamptz,
    primary key (realm_id, id)
  )`,
  `create table plain.oauth_events (
    realm_id text collate "C" not null,
    id text collate "C" not null,
    event_type text not null,
    event_at timestamptz not null,
    primary key (realm_id, id)
  )`
]

/** Creates the empty tables of the plain token server. */
export const createOAuthTables = (url: string): Promise<void> =>
  withClient(url, async (client) => {
    for (const statement of statements) await client.query(statement)
  })
