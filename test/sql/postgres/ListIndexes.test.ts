import { expect, it } from "@effect/vitest"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { appSorts } from "#domain/ConnectedApp"
import { matchingTypes } from "#domain/Event"
import { encodeId, type Kind, type RealmId } from "#domain/Ids"
import { invitationSorts, invitationTypes } from "#domain/Invitation"
import { orgSorts } from "#domain/Org"
import { userSorts } from "#domain/User"
import { LoginDomains } from "#platform/LoginDomains"
import { Secrets } from "#platform/Secrets"
import { Connections } from "#sql/Database"
import { AppsRepo } from "#store/apps/AppsRepo"
import { EventsRepo } from "#store/events/EventsRepo"
import { InvitationsRepo } from "#store/orgs/InvitationsRepo"
import { MembershipsRepo } from "#store/orgs/MembershipsRepo"
import { OrgsRepo } from "#store/orgs/OrgsRepo"
import { SessionsRepo } from "#store/sessions/SessionsRepo"
import { UsersRepo } from "#store/users/UsersRepo"
import { freshConnections } from "../../support/databases.ts"
import { plansOf, withoutForeignKeyChecks } from "../../support/queryPlans.ts"

const USERS = 40_000

/** The number of rows of each other kind. */
const OTHERS = 20_000

const idAt = <K extends Kind>(kind: K, n: number) => encodeId(kind, { millis: n, random: [0, 0] })
const realm: RealmId = idAt("realm", 1)

/**
 * A realm of 40,000 users (1 in 100 inactive, 1 in 97 an API user), 20,000 orgs (1 in 10 closed), and the links between
 * them.
 */
const seed = Effect.gen(function* () {
  const sql = yield* SqlClient
  // Ids in the product's own format, generated in the database for speed: 10 base32 digits of time, then zeros.
  const id = (prefix: string, n: string) => sql.literal(`'${prefix}' || lpad(to_hex(${n}), 10, '0') || repeat('0', 16)`)
  const at = "'2026-01-01Z'::timestamptz"
  yield* sql`insert into realms (id, name, sort_name, state, custom, environment, username_validation_human,
    require_unique_emails, api_key_policy, jwt_algo, jwt_fields, jwt_claims, session_type, session_minutes,
    api_key_minutes, org_mode, signup, email_verification, default_locale, available_locales, resource_links, created_at)
    values (${realm}, 'R', 'r', 'active', '{}', 'live', 'standard', true, 'hash', 'hs256', '{}', 'v2', 'managed', 360, 0,
    'multi_user', 'open', 'none', 'en', '{en}', '[]', ${sql.literal(at)})`
  yield* sql`insert into users (realm_id, id, user_type, state, email, email_unique, email_verification, username,
    username_key, name, sort_name, sort_name_alt, custom, created_at, last_login_at)
    select ${realm}, ${id("usr_", "n")}, case when n % 97 = 0 then 'api' else 'human' end, case when n % 100 = 0 then 'inactive' else 'active' end,
      'u' || n || '@example.test', true, 'none', 'U' || n, 'u' || n, 'Name ' || n, 'name ' || n, 'alt ' || n, '{}',
      ${sql.literal(at)}, case when n % 2 = 0 then ${sql.literal(at)} + n * interval '1 s' end
    from generate_series(1, ${USERS}) n`
  yield* sql`insert into last_logins (realm_id, user_id, user_type, state, last_login_at)
    select realm_id, id, user_type, state, coalesce(last_login_at, '-infinity') from users where realm_id = ${realm}`
  yield* sql`insert into orgs (realm_id, id, state, name, sort_name, custom, created_at)
    select ${realm}, ${id("org_", "n")}, case when n % 10 = 0 then 'closed' else 'active' end, 'Org ' || n, 'org ' || n,
      '{}', ${sql.literal(at)} from generate_series(1, ${OTHERS}) n`
  yield* sql`insert into memberships (realm_id, id, user_id, org_id, permissions, custom, created_at)
    select ${realm}, ${id("mb_", "n")}, ${id("usr_", "n % 20 + 1")}, ${id("org_", "n / 20 + 1")}, '{}', '{}', ${sql.literal(at)}
    from generate_series(1, ${OTHERS}) n`
  yield* sql`insert into memberships (realm_id, id, user_id, org_id, permissions, custom, created_at)
    select ${realm}, ${id("mb_", "n")}, ${id("usr_", "n")}, ${id("org_", "7")}, '{}', '{}', ${sql.literal(at)}
    from generate_series(${OTHERS + 1}, ${2 * OTHERS}) n`
  yield* sql`insert into sessions (realm_id, id, user_id, created_at, expires_at)
    select ${realm}, ${id("kss_", "n")}, ${id("usr_", "n % 20 + 1")}, ${sql.literal(at)}, ${sql.literal(at)} + interval '1 year'
    from generate_series(1, ${OTHERS}) n`
  yield* sql`insert into events (realm_id, id, event_type, event_at, actor_type, changed, user_id)
    select ${realm}, ${id("ev_", "n")}, case when n % 5000 = 0 then 'user.deleted' else 'user.updated' end,
      ${sql.literal(at)}, 'system', '{}', ${id("usr_", "n % 20 + 1")} from generate_series(1, ${OTHERS}) n`
  yield* sql`insert into one_time_tokens (realm_id, id, purpose, user_id, codes_tried, created_at, expires_at)
    select ${realm}, 'token ' || n, 'login', ${id("usr_", "n")}, 0, ${sql.literal(at)}, ${sql.literal(at)}
    from generate_series(1, ${OTHERS}) n`
  yield* sql`insert into auth_providers (realm_id, id, provider_type, state, client_id, client_secret, authorization_url,
      token_url, profile_url, id_field, email_field, created_at)
    select ${realm}, ${id("ap_", "n")}, 'oauth2', 'active', 'c', 's', 'a', 't', 'p', 'i', 'e', ${sql.literal(at)}
    from generate_series(1, ${OTHERS}) n`
  yield* sql`insert into invitations (realm_id, id, invitation_type, email, org_id, inviting_user_id, auth_provider_id,
      permissions, locale, token_digest, token, created_at, invited_at, expires_at)
    select ${realm}, ${id("nvt_", "n")}, (array['org', 'preverify', 'referral', 'request'])[n % 4 + 1],
      'g' || n % 1000 || '@example.test', ${id("org_", "n % 20 + 1")}, ${id("usr_", "n")}, ${id("ap_", "n")}, '{}', 'en',
      int4send(n), 'sealed', ${sql.literal(at)}, case when n % 3 = 0 then ${sql.literal(at)} end,
      ${sql.literal(at)} + interval '1 year'
    from generate_series(1, ${OTHERS}) n`
  yield* sql`insert into login_policies (realm_id, id, state, name, sort_name, client_type, subdomain, redirect_uris, logout_uris,
      signup_mode, require_password_confirmation, require_names, require_org_name, allow_jsonp, auto_continue,
      allow_invitations, invitation_permissions, created_at)
    select ${realm}, ${id("lpl_", "n")}, 'active', 'App ' || n, 'app ' || n, 'standard', 'app-' || n, '{}', '{}', 'user', false,
      false, false, true, true, true, '{}', ${sql.literal(at)} from generate_series(1, ${OTHERS}) n`
  yield* sql`insert into events (realm_id, id, event_type, event_at, actor_type, changed, login_policy_id)
    select ${realm}, ${id("ev_", `${USERS} + n`)}, 'login_policy.updated', ${sql.literal(at)}, 'system', '{}', ${id("lpl_", "n % 20 + 1")}
    from generate_series(1, ${OTHERS / 10}) n`
  yield* sql`analyze`
})

/** The secrets in the seed data were never encrypted. */
const unsealed = Secrets.of({
  encrypt: (_, plaintext) => Effect.succeed(plaintext),
  decrypt: (_, sealed) => Effect.succeed(sealed),
  missingKeys: Effect.succeed([]),
  setLostKeys: () => {},
  retainMissingKeys: () => {},
  keyIds: [],
  currentKeyId: "",
  setKeys: () => {},
  setSharedKeys: () => {},
  setReload: () => {},
  currentPrefix: "",
  olderPrefixes: []
})

const Repositories = Layer.mergeAll(
  UsersRepo.layer,
  OrgsRepo.layer,
  MembershipsRepo.layer,
  InvitationsRepo.layer,
  SessionsRepo.layer,
  EventsRepo.layer,
  AppsRepo.layer
).pipe(
  Layer.provide(Layer.succeed(Secrets, unsealed)),
  Layer.provide(LoginDomains.layer({ publicUrl: "http://localhost", loginDomain: "localhost", region: "local" })),
  Layer.provideMerge(
    Layer.effect(
      SqlClient,
      Effect.map(Connections, ({ slow }) => slow)
    )
  )
)

const page = <Sort extends string>(sort: Sort, direction: "asc" | "desc", after: string | undefined) => ({
  after: after === undefined ? undefined : { id: after },
  maxResults: 100,
  sort,
  direction
})

it.live(
  "every list order uses an index without sorting, on the first page and on a deep page",
  () =>
    Effect.gen(function* () {
      yield* withoutForeignKeyChecks(seed)
      const context = yield* Effect.context<
        UsersRepo | OrgsRepo | MembershipsRepo | InvitationsRepo | SessionsRepo | EventsRepo | AppsRepo
      >()
      const now = DateTime.makeUnsafe("2026-06-01T00:00:00Z")
      const lists: Array<readonly [string, Effect.Effect<unknown>]> = []
      for (const direction of ["asc", "desc"] as const) {
        for (const deep of [false, true]) {
          const name = (list: string) => `${list} ${direction} ${deep ? "deep" : "first"}`
          const after = <K extends Kind>(kind: K, n: number) => (deep ? idAt(kind, n) : undefined)
          for (const state of [undefined, "active", "inactive"] as const) {
            const users = Context.get(context, UsersRepo)
            // v2 lists humans. v1 lists one type or all types, but not by email.
            for (const userType of ["human", "api", undefined] as const) {
              const filter = { userType, email: undefined, reference: undefined, username: undefined, state }
              for (const sort of userType === "human" ? userSorts : userSorts.filter((sort) => sort !== "email")) {
                lists.push([
                  name(`${userType ?? "all"} users by ${sort}, ${state ?? "any"} state`),
                  users.list(realm, filter, page(sort, direction, after("user", USERS / 2)))
                ])
              }
            }
          }
          // A closed org reads as inactive in v1.
          for (const states of [undefined, ["active"], ["closed"], ["inactive", "closed"]] as const) {
            for (const sort of orgSorts) {
              const orgs = Context.get(context, OrgsRepo)
              lists.push([
                name(`orgs by ${sort}, ${states ?? "any"} state`),
                orgs.list(realm, { reference: undefined, states }, page(sort, direction, after("org", OTHERS / 2)))
              ])
            }
          }
          const memberships = Context.get(context, MembershipsRepo)
          const ofUser = { userId: idAt("user", 7), orgId: undefined }
          const ofOrg = { userId: undefined, orgId: idAt("org", 7) }
          const byId = <K extends Kind>(kind: K) => page("id", direction, after(kind, OTHERS / 2))
          lists.push([name("memberships of a user"), memberships.list(realm, ofUser, now, byId("membership"))])
          lists.push([name("memberships of an org"), memberships.list(realm, ofOrg, now, byId("membership"))])
          const invitations = Context.get(context, InvitationsRepo)
          const any = { invitationType: undefined, orgId: undefined, state: undefined, email: undefined }
          for (const sort of invitationSorts) {
            for (const filter of [
              any,
              ...invitationTypes.map((invitationType) => ({ ...any, invitationType })),
              { ...any, orgId: idAt("org", 7) },
              { ...any, state: "pending" as const },
              { ...any, state: "invited" as const },
              { ...any, email: "g7@example.test" }
            ]) {
              const asked = page(sort, direction, after("invitation", OTHERS / 2))
              lists.push([
                name(`invitations by ${sort}, ${JSON.stringify(filter)}`),
                invitations.list(realm, filter, now, asked)
              ])
            }
          }
          const sessions = Context.get(context, SessionsRepo)
          for (const userId of [undefined, idAt("user", 7)]) {
            const filter = { userId, from: undefined }
            lists.push([
              name(`sessions of ${userId ?? "everyone"}`),
              sessions.list(realm, filter, now, byId("session"))
            ])
          }
          const apps = Context.get(context, AppsRepo)
          for (const sort of appSorts) {
            const asked = page(sort, direction, after("app", OTHERS / 2))
            lists.push([name(`connected apps by ${sort}`), apps.list(realm, asked)])
          }
          const events = Context.get(context, EventsRepo)
          const everything = {
            types: matchingTypes("v2", [""]),
            related: {},
            actorId: undefined,
            changed: [],
            createdAfter: undefined,
            earliest: undefined
          }
          lists.push([name("events"), events.list(realm, everything, byId("event"), now)])
          lists.push([
            name("events of a user"),
            events.list(realm, { ...everything, related: { user: idAt("user", 7) } }, byId("event"), now)
          ])
          lists.push([
            name("events of a connected app"),
            events.list(realm, { ...everything, related: { app: idAt("app", 7) } }, byId("event"), now)
          ])
        }
      }
      const found = yield* Effect.forEach(lists, ([name, list]) =>
        Effect.map(plansOf(list), (plans) => ({ name, plans }))
      )
      expect(found.length).toBeGreaterThan(100)
      const wrong = found.flatMap(({ name, plans }) =>
        plans
          .flat()
          // The events of a user are merged from a page of each type.
          .filter((node) =>
            (name.startsWith("events of a user") ? /Seq Scan/ : /Sort|Seq Scan/).test(node["Node Type"])
          )
          .map((node) => `${name}: ${node["Node Type"]} ${node["Relation Name"] ?? ""}`)
      )
      expect(wrong).toEqual([])
    }).pipe(Effect.provide(Repositories), Effect.provide(freshConnections)),
  60_000
)
