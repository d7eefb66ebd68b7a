import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { foldedEmail } from "#domain/Email"
import type { AppId, AuthProviderId, InvitationId, OrgId, RealmId, UserId } from "#domain/Ids"
import {
  type Invitation,
  type InvitationState,
  type InvitationType,
  type InvitationWithToken,
  type invitationSorts,
  invitationStates,
  invitationTypes
} from "#domain/Invitation"
import type { PageOf } from "#domain/Page"
import type { SecretLocation } from "#platform/SecretLocation"
import { Secrets } from "#platform/Secrets"
import { sha256 } from "#platform/Tokens"
import type { KeysetOrder } from "../statements/KeysetPage.ts"
import { combinations, mergedPage } from "../statements/MergedPage.ts"
import { date, dateOrNull, utc, utcOrNull } from "../statements/Rows.ts"
import { storedEmail } from "../users/UsersRepo.ts"
import { type JoinedOrg, joinedOrg, orgColumns } from "./OrgsRepo.ts"

/** The filters for lists of invitations. `email` is in canonical form. */
export interface InvitationFilter {
  readonly invitationType: InvitationType | undefined
  readonly orgId: string | undefined
  readonly state: InvitationState | undefined
  readonly email: string | undefined
  /** The first id that a pending reset does not delete. */
  readonly from?: string | undefined
}

interface Row {
  readonly id: InvitationId
  readonly realm_id: RealmId
  readonly invitation_type: InvitationType
  readonly email: string
  readonly email_shown: string | null
  readonly org_id: OrgId | null
  readonly inviting_user_id: UserId | null
  readonly sent_by_member: boolean
  readonly auth_provider_id: AuthProviderId | null
  readonly client_app_id: AppId | null
  readonly permissions: ReadonlyArray<string>
  readonly locale: string
  readonly created_at: Date
  readonly invited_at: Date | null
  readonly expires_at: Date
}

type TokenRow = Row & JoinedOrg & { readonly token: string }

const fromRow = (row: Row): Invitation => ({
  id: row.id,
  realmId: row.realm_id,
  invitationType: row.invitation_type,
  email: row.email_shown ?? row.email,
  orgId: row.org_id,
  invitingUserId: row.inviting_user_id,
  isSentByMember: row.sent_by_member,
  authProviderId: row.auth_provider_id,
  appId: row.client_app_id,
  permissions: row.permissions,
  locale: row.locale,
  createdAt: utc(row.created_at),
  invitedAt: utcOrNull(row.invited_at),
  expiresAt: utc(row.expires_at)
})

/** The columns of an invitation that an update may change. */
const toRow = (invitation: Invitation) => ({
  permissions: invitation.permissions,
  invited_at: dateOrNull(invitation.invitedAt),
  expires_at: date(invitation.expiresAt)
})

const locationOf = (realm: RealmId, row: string): SecretLocation => ({
  table: "invitations",
  column: "token",
  row,
  realm
})

/** A new invitation with its unencrypted token. */
export type NewInvitation = InvitationWithToken & { readonly token: string }

/** The columns of `Row`, for invitations named `i`. If the inviting user, provider or app was deleted, its column is null. */
const columns = `i.id, i.realm_id, i.invitation_type, i.email, i.email_shown, i.org_id, u.id as inviting_user_id, i.sent_by_member,
  p.id as auth_provider_id, a.id as client_app_id, i.permissions, i.locale, i.created_at, i.invited_at, i.expires_at`
// `offset 0` makes PostgreSQL look up each row by its id, which preserves the order of the page.
const lookUp = (table: string, alias: string, id: string) => `left join lateral (select * from ${table} t
  where t.realm_id = i.realm_id and t.id = i.${id} offset 0) ${alias}
  on ${alias}.realm_id = i.realm_id`
const joins = `${lookUp("users", "u", "inviting_user_id")} ${lookUp("auth_providers", "p", "auth_provider_id")}
  ${lookUp("login_policies", "a", "client_app_id")}`

/** Stores invitations with encrypted tokens. Only `claimExpired` and `nextExpiry` include expired ones (C33). */
export class InvitationsRepo extends Context.Service<
  InvitationsRepo,
  {
    insert(invitation: NewInvitation): Effect.Effect<void>
    /** Updates an invitation's permissions, expiry and sending time. */
    update(invitation: Invitation): Effect.Effect<void>
    find(realmId: RealmId, id: InvitationId, now: DateTime.Utc): Effect.Effect<InvitationWithToken | undefined>
    findForUpdate(realmId: RealmId, id: InvitationId, now: DateTime.Utc): Effect.Effect<InvitationWithToken | undefined>
    findByToken(realmId: RealmId, token: string, now: DateTime.Utc): Effect.Effect<Invitation | undefined>
    /**
     * Locks the unexpired invitations to these emails with the same purpose as this one: for the same org or, without an
     * org, of the same type. This serializes their acceptance.
     */
    lockEquivalent(
      invitation: Invitation,
      emails: ReadonlyArray<string>,
      now: DateTime.Utc
    ): Effect.Effect<ReadonlyArray<InvitationId>>
    /** Deletes and returns the unexpired invitation with this token. Succeeds for only one caller. */
    consume(realmId: RealmId, id: InvitationId, token: string, now: DateTime.Utc): Effect.Effect<Invitation | undefined>
    delete(realmId: RealmId, ids: ReadonlyArray<InvitationId>): Effect.Effect<void>
    /** Deletes all invitations to an org. */
    deleteOfOrg(realmId: RealmId, orgId: OrgId): Effect.Effect<void>
    /** Deletes the oldest expired invitations, in all realms that are not deleted. Skips rows locked by another node. */
    claimExpired(now: DateTime.Utc, limit: number): Effect.Effect<ReadonlyArray<Invitation>>
    /** The earliest expiry of any stored invitation. It may be in the past. */
    readonly nextExpiry: Effect.Effect<DateTime.Utc | undefined>
    /** Returns one more row than fits on the page. */
    list(
      realmId: RealmId,
      filter: InvitationFilter,
      now: DateTime.Utc,
      page: PageOf<(typeof invitationSorts)[number]>
    ): Effect.Effect<ReadonlyArray<InvitationWithToken>>
    /** Decrypts an invitation's token. Returns null if that fails. */
    decryptToken(realmId: RealmId, id: string, ciphertext: string): Effect.Effect<string | null>
  }
>()("sallyport/store/InvitationsRepo") {
  static readonly layer = Layer.effect(
    InvitationsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const secrets = yield* Secrets
      const selectFrom = sql.literal(`select ${columns}, i.token, ${orgColumns} from`)
      const joined = sql.literal(`${joins} ${lookUp("orgs", "o", "org_id")}`)
      const select = sql`${selectFrom} invitations i ${joined}`
      const one = Effect.map((rows: ReadonlyArray<Row>) => (rows[0] === undefined ? undefined : fromRow(rows[0])))

      const decryptToken = (realmId: RealmId, id: string, ciphertext: string) =>
        secrets.decrypt(locationOf(realmId, id), ciphertext)

      const decryptRow = (row: TokenRow) =>
        Effect.map(
          decryptToken(row.realm_id, row.id, row.token),
          (token): InvitationWithToken => ({ ...fromRow(row), org: joinedOrg(row), token })
        )
      const decryptFirst = Effect.flatMap(([row]: ReadonlyArray<TokenRow>) =>
        row === undefined ? Effect.succeed(undefined) : decryptRow(row)
      )

      const insert = Effect.fn("InvitationsRepo.insert")(function* (invitation: NewInvitation) {
        const { realmId, id, token } = invitation
        const { email, shown } = storedEmail(invitation.email)
        yield* sql`insert into invitations ${sql.insert({
          realm_id: realmId,
          id,
          invitation_type: invitation.invitationType,
          email,
          email_shown: shown,
          org_id: invitation.orgId,
          inviting_user_id: invitation.invitingUserId,
          sent_by_member: invitation.isSentByMember,
          auth_provider_id: invitation.authProviderId,
          client_app_id: invitation.appId,
          locale: invitation.locale,
          token_digest: sha256(token),
          token: yield* secrets.encrypt(locationOf(realmId, id), token),
          created_at: date(invitation.createdAt),
          ...toRow(invitation)
        })}`.pipe(Effect.orDie)
      })

      const list = (
        realmId: RealmId,
        filter: InvitationFilter,
        now: DateTime.Utc,
        page: PageOf<(typeof invitationSorts)[number]>
      ) => {
        const conditions = [sql`i.realm_id = ${realmId}`, sql`i.expires_at > ${date(now)}`]
        if (filter.orgId !== undefined) conditions.push(sql`i.org_id = ${filter.orgId}`)
        if (filter.from !== undefined) conditions.push(sql`i.id >= ${filter.from}`)
        const order: KeysetOrder = {
          id: "i.id",
          sortKey: {
            column: "i.email",
            ofRow: (id) => sql`select email from invitations where realm_id = ${realmId} and id = ${id}`
          }
        }
        const types = filter.invitationType === undefined ? invitationTypes : [filter.invitationType]
        const states = filter.state === undefined ? invitationStates : [filter.state]
        const isByType = filter.invitationType !== undefined || filter.state !== undefined || filter.orgId !== undefined
        // Few invitations share an email, so they are filtered by type after reading.
        if (filter.email !== undefined)
          conditions.push(
            sql`i.email = ${foldedEmail(filter.email)} and i.invitation_type in ${sql.in(types)} and i.state in ${sql.in(states)}`
          )
        const filters = isByType && filter.email === undefined ? { "i.invitation_type": types, "i.state": states } : {}
        const paged = mergedPage(sql, { columns: "i.*", from: "invitations i" }, filters, conditions, page, order)
        const direction = sql.literal(page.direction)
        const byEmail = sql`${sql.literal(combinations(filters).length === 1 ? "i.email" : "i.sort_key")} ${direction},`
        // With a filter by email, all invitations on a page have the same email.
        const by = page.sort === "email" && filter.email === undefined ? byEmail : sql``
        return sql<TokenRow>`${selectFrom} (${paged}) i ${joined} order by ${by} i.id ${direction}`.pipe(
          Effect.orDie,
          Effect.flatMap((rows) => Effect.forEach(rows, decryptRow))
        )
      }

      return InvitationsRepo.of({
        insert,
        update: (invitation) =>
          sql`update invitations set ${sql.update(toRow(invitation))}
            where realm_id = ${invitation.realmId} and id = ${invitation.id}`.pipe(Effect.asVoid, Effect.orDie),
        find: (realmId, id, now) =>
          sql<TokenRow>`${select} where i.realm_id = ${realmId} and i.id = ${id} and i.expires_at > ${date(now)}`.pipe(
            Effect.orDie,
            decryptFirst
          ),
        findForUpdate: (realmId, id, now) =>
          sql<TokenRow>`${select} where i.realm_id = ${realmId} and i.id = ${id} and i.expires_at > ${date(now)}
            for update of i`.pipe(Effect.orDie, decryptFirst),
        findByToken: (realmId, token, now) =>
          sql<Row>`select ${sql.literal(columns)} from invitations i ${sql.literal(joins)} where i.realm_id = ${realmId}
            and i.token_digest = ${sha256(token)} and i.expires_at > ${date(now)}`.pipe(one, Effect.orDie),
        lockEquivalent: ({ realmId, orgId, invitationType }, emails, now) =>
          sql<{ readonly id: InvitationId }>`select id from invitations where realm_id = ${realmId}
            and email = any(${emails.map(foldedEmail)}::text[]) and expires_at > ${date(now)} and ${
              orgId === null ? sql`org_id is null and invitation_type = ${invitationType}` : sql`org_id = ${orgId}`
            } order by id for update`.pipe(
            Effect.map((rows) => rows.map(({ id }) => id)),
            Effect.orDie
          ),
        consume: (realmId, id, token, now) =>
          sql<Row>`with i as (delete from invitations where realm_id = ${realmId} and id = ${id}
              and token_digest = ${sha256(token)} and expires_at > ${date(now)} returning *)
            select ${sql.literal(columns)} from i ${sql.literal(joins)}`.pipe(one, Effect.orDie),
        delete: (realmId, ids) =>
          ids.length === 0
            ? Effect.void
            : sql`delete from invitations where realm_id = ${realmId} and id = any(${ids}::text[])`.pipe(
                Effect.asVoid,
                Effect.orDie
              ),
        deleteOfOrg: (realmId, orgId) =>
          sql`delete from invitations where realm_id = ${realmId} and org_id = ${orgId}`.pipe(
            Effect.asVoid,
            Effect.orDie
          ),
        claimExpired: (now, limit) =>
          sql<Row>`with due as (
              select e.realm_id, e.id from invitations e
                join realms r on r.id = e.realm_id and r.deleted_at is null
                where e.expires_at <= ${date(now)} order by e.expires_at limit ${limit} for update of e skip locked
            ), i as (
              delete from invitations e using due where e.realm_id = due.realm_id and e.id = due.id returning e.*
            ) select ${sql.literal(columns)} from i ${sql.literal(joins)} order by i.expires_at, i.id`.pipe(
            Effect.map((rows) => rows.map(fromRow)),
            Effect.orDie
          ),
        nextExpiry: sql<{ readonly expires_at: Date }>`select e.expires_at from invitations e
          join realms r on r.id = e.realm_id and r.deleted_at is null order by e.expires_at limit 1`.pipe(
          Effect.map(([row]) => (row === undefined ? undefined : utc(row.expires_at))),
          Effect.orDie
        ),
        list,
        decryptToken
      })
    })
  )
}
