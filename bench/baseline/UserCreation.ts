/** The columns of a table with the types that `json_to_recordset` needs. */
const credentialColumns = {
  id: "text",
  user_id: "text",
  credential_type: "text",
  auth_provider_id: "text",
  password_hash: "text",
  key_digest: "bytea",
  created_at: "timestamptz",
  name: "text",
  state: "text",
  secret: "text",
  provider_user_id: "text",
  token_expires_at: "timestamptz",
  locked_at: "timestamptz",
  code_digests: "text[]"
}

const eventColumns = {
  id: "text",
  event_type: "text",
  event_at: "timestamptz",
  user_id: "text",
  org_id: "text",
  membership_id: "text",
  invitation_id: "text",
  session_id: "text",
  auth_provider_id: "text",
  hook_id: "text",
  login_policy_id: "text",
  api_key_id: "text",
  actor_type: "text",
  actor_id: "text",
  changed: "text[]",
  details: "jsonb",
  request_ip: "text",
  request_client: "text",
  token_id: "text"
}

type Columns = Readonly<Record<string, string>>

/** A subquery that inserts rows from a JSON parameter after the previous step is complete. */
const insertStep = (step: number, table: string, alias: string, columns: Columns, parameter: string): string => {
  const types = Object.entries(columns).map(([name, type]) => `${name} ${type}`)
  return `, step${step} as (insert into ${table} (realm_id, ${Object.keys(columns).join(", ")})
      select before.realm_id, ${alias}.* from (select s.realm_id from step0 s, (select count(*) from step${step - 1}) done) before,
        json_to_recordset(${parameter}::json) as ${alias} (${types.join(", ")}) returning 1)`
}

const userSteps = `with realm as (
    select r.id, r.require_unique_emails from realms r where r.id = $1 and (r.deleted_at is null or r.id = $2) for share
  ), active as (
    select coalesce(json_agg(json_build_array(h.realm_id, h.id, h.version, h.event_types, h.hook_type, h.delay, h.default_of)
      order by h.realm_id, h.id), '[]')::text as hooks
    from app_hooks h where h.realm_id in ($3, $4) and h.state = 'active'
      and (h.event_types = '{}' or h.event_types && $5::text[])
      and (h.default_of is null or h.default_of not like 'account.%' or h.default_of = any($6::text[]))
  ), step0 as (
    select r.id as realm_id from realm r, active a where a.hooks = $7
  ), step1 as (
    insert into users (realm_id, id, user_type, created_at, email_unique, state, email, email_pending, email_verification,
      username, username_key, first_name, last_name, name, sort_name, sort_name_alt, locale, reference, custom, proved_email)
    select before.realm_id, $8, $9, $10, (select require_unique_emails and $11 from realm), $12, $13, $14, $15, $16, $17,
      $18, $19, $20, $21, $22, $23, $24, $25, $26 from (select s.realm_id from step0 s) before returning 1
  ), step2 as (
    insert into last_logins (realm_id, user_id, user_type, state, last_login_at)
    select before.realm_id, $27, $28, $29, '-infinity'
    from (select s.realm_id from step0 s, (select count(*) from step1) done) before returning 1)`

const result = " select a.hooks as active_hooks from realm r, active a"

/** A user and its event in one statement. */
export const insertUser = userSteps + insertStep(3, "events", "e", eventColumns, "$30") + result

/** A user, its credentials and its event in one statement. */
export const insertUserWithCredentials =
  userSteps +
  insertStep(3, "credentials", "c", credentialColumns, "$30") +
  insertStep(4, "events", "e", eventColumns, "$31") +
  result

const withNulls = (columns: Columns, row: object) => ({
  ...Object.fromEntries(Object.keys(columns).map((name) => [name, null])),
  ...row
})

/** A row as a JSON parameter, with nulls for the columns that are not given. */
export const credentialsParameter = (row: object) => JSON.stringify([withNulls(credentialColumns, row)])
export const eventsParameter = (row: object) => JSON.stringify([withNulls(eventColumns, row)])
