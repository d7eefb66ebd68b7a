import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Event, type EventType, eventTypes, type relations } from "#domain/Event"
import { ACCOUNT, type EventId, type RealmId } from "#domain/Ids"
import type { PageOf } from "#domain/Page"
import { type ActiveHooks, activeHooks, hookFields } from "./ActiveHooks.ts"
import { keysetPage } from "./KeysetPage.ts"
import { date, utc } from "./Rows.ts"
import { columnTypes, conflictAmong, type Guard, noConflict, realmLockOf, steps, type Write } from "./Writes.ts"

/** The filters for the list of events. */
export interface EventFilter {
  readonly types: ReadonlyArray<EventType>
  readonly related: { readonly [Relation in (typeof relations)[number]]?: string }
  readonly createdAfter: DateTime.Utc | undefined
  /** No event recorded later than `createdAfter` has a smaller id. */
  readonly earliest: string | undefined
}

interface Row {
  readonly id: EventId
  readonly realm_id: RealmId
  readonly event_type: EventType
  readonly event_at: Date
  readonly user_id: string | null
  readonly org_id: string | null
  readonly membership_id: string | null
  readonly invitation_id: string | null
  readonly session_id: string | null
  readonly auth_provider_id: string | null
  readonly hook_id: string | null
  readonly login_policy_id: string | null
  readonly request_ip: string | null
  readonly request_client: string | null
  readonly token_id: string | null
  readonly token_secret: string | null
}

/** An event with its encrypted token. The token is null once it can no longer be used. */
export interface StoredEvent extends Event {
  readonly encryptedToken: string | null
}

const fromRow = (row: Row): StoredEvent => ({
  id: row.id,
  realmId: row.realm_id,
  eventType: row.event_type,
  eventAt: utc(row.event_at),
  userId: row.user_id,
  orgId: row.org_id,
  membershipId: row.membership_id,
  invitationId: row.invitation_id,
  sessionId: row.session_id,
  authProviderId: row.auth_provider_id,
  hookId: row.hook_id,
  loginPolicyId: row.login_policy_id,
  requestIp: row.request_ip,
  requestClient: row.request_client,
  tokenId: row.token_id,
  encryptedToken: row.token_secret
})

/** An event as a JSON object. All events of a statement are passed as one JSON parameter. */
const toRow = (event: Event) => ({
  id: event.id,
  event_type: event.eventType,
  event_at: date(event.eventAt),
  user_id: event.userId,
  org_id: event.orgId,
  membership_id: event.membershipId,
  invitation_id: event.invitationId,
  session_id: event.sessionId,
  auth_provider_id: event.authProviderId,
  hook_id: event.hookId,
  login_policy_id: event.loginPolicyId,
  request_ip: event.requestIp,
  request_client: event.requestClient,
  token_id: event.tokenId
})

/** The columns of an event except for its realm, with their types for `json_to_recordset`. */
const columns: Readonly<Record<keyof ReturnType<typeof toRow>, "text" | "timestamptz">> = {
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
  request_ip: "text",
  request_client: "text",
  token_id: "text"
}

const [columnNames, recordTypes] = [Object.keys(columns).join(", "), columnTypes(columns)]

const relationColumns = {
  user: "user_id",
  org: "org_id",
  membership: "membership_id",
  invitation: "invitation_id",
  session: "session_id",
  authProvider: "auth_provider_id",
  hook: "hook_id",
  loginPolicy: "login_policy_id"
} as const

/** Events to insert, with what is written in the same statement. */
export interface JournalEntry<Conflict, Row, A> {
  /** The row that must be there. */
  readonly guard: Guard<Row, A> | undefined
  /** The changes that the events are about. */
  readonly writes: ReadonlyArray<Write<Conflict>>
  readonly events: ReadonlyArray<Event>
  /** The deliveries to the hooks of `assumed`. */
  readonly deliveries: ReadonlyArray<Write>
  /** The hooks that are expected to be active. */
  readonly assumed: ActiveHooks
}

/** What the database had of an entry when the entry was to be inserted. */
export interface JournalState<A> {
  /** The active hooks that may be subscribed to the events. */
  readonly active: ActiveHooks
  /** The row of the guard, if there is one. */
  readonly guard: A | undefined
}

/** Stores the events of realms. */
export class EventsRepo extends Context.Service<
  EventsRepo,
  {
    /**
     * Inserts an entry in one statement, and locks its realm against deletion. Nothing is written if the active hooks
     * are not the assumed ones, or if the guard has no row. Undefined if the realm has been deleted.
     */
    insert<Conflict, Row extends object, A>(
      realmId: RealmId,
      entry: JournalEntry<Conflict, Row, A>
    ): Effect.Effect<JournalState<A> | undefined, Conflict>
    /** The events with these realms and ids. */
    findMany(
      ids: ReadonlyArray<Pick<Event, "realmId" | "id">>,
      now: DateTime.Utc
    ): Effect.Effect<ReadonlyArray<StoredEvent>>
    find(realmId: RealmId, id: string, now: DateTime.Utc): Effect.Effect<StoredEvent | undefined>
    /** The oldest 1,000 events with ids after `id`, of all realms. */
    since(id: string, now: DateTime.Utc): Effect.Effect<ReadonlyArray<StoredEvent>>
    /** Returns one row more than the page holds, ordered by id. */
    list(
      realmId: RealmId,
      filter: EventFilter,
      page: PageOf<"id">,
      now: DateTime.Utc
    ): Effect.Effect<ReadonlyArray<StoredEvent>>
  }
>()("sallyport/store/EventsRepo") {
  static readonly layer = Layer.effect(
    EventsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const columnsOf = (now: DateTime.Utc) => sql`select events.*, coalesce((
          select t.secret from one_time_tokens t
          where t.realm_id = events.realm_id and t.id = events.token_id and t.expires_at > ${date(now)}
        ), (
          select i.token from invitations i where i.realm_id = events.realm_id and i.id = events.invitation_id
            and i.expires_at > ${date(now)} and events.event_type like 'invitation.%.invited'
        )) as token_secret`
      const read = (now: DateTime.Utc) => sql`${columnsOf(now)} from events`

      const insertion = (events: ReadonlyArray<Event>): Write => ({
        realmLock: "key share",
        statement: (before) => sql`insert into events (realm_id, ${sql.literal(columnNames)})
          select before.realm_id, e.* from ${before},
            json_to_recordset(${JSON.stringify(events.map(toRow))}::json) as e (${sql.literal(recordTypes)})`,
        conflictIn: noConflict
      })

      const insert = <Conflict, Row extends object, A>(
        realmId: RealmId,
        { guard, writes, events, deliveries, assumed }: JournalEntry<Conflict, Row, A>
      ): Effect.Effect<JournalState<A> | undefined, Conflict> => {
        const types = [...new Set(events.map(({ eventType }) => eventType))]
        const all = [...writes, ...(events.length === 0 ? [] : [insertion(events)]), ...deliveries]
        const guarded = {
          table: guard === undefined ? sql`` : sql`, guard as (${guard.select})`,
          step0: sql.literal(guard === undefined ? "" : ", guard g"),
          columns: sql.literal(guard === undefined ? "" : ", exists (select from guard) as is_guarded, g.*"),
          join: sql.literal(guard === undefined ? "" : " left join guard g on true")
        }
        return sql<Row & { readonly active_hooks: string; readonly is_guarded?: boolean }>`with realm as (
              select r.id, r.require_unique_emails from realms r
              where r.id = ${realmId} and (r.deleted_at is null or r.id = ${ACCOUNT})
              for ${sql.literal(realmLockOf(all))}
            ), active as (
              select coalesce(json_agg(${sql.literal(hookFields)} order by h.realm_id, h.id), '[]')::text as hooks
              from app_hooks h where h.realm_id in (${realmId}, ${ACCOUNT}) and h.state = 'active'
                and (h.event_types = '{}' or h.event_types && ${types}::text[])
            )${guarded.table}, step0 as (
              select r.id as realm_id from realm r, active a${guarded.step0} where a.hooks = ${assumed.text}
            )${steps(sql, all)}
            select a.hooks as active_hooks${guarded.columns} from realm r, active a${guarded.join}`.pipe(
          Effect.map(([row]) =>
            row === undefined
              ? undefined
              : { active: activeHooks(row.active_hooks), guard: row.is_guarded ? guard?.fromRow(row) : undefined }
          ),
          Effect.catch((error) => {
            const conflict = conflictAmong(writes, error)
            return conflict === undefined ? Effect.die(error) : Effect.fail(conflict)
          })
        )
      }

      const find = (realmId: RealmId, id: string, now: DateTime.Utc) =>
        sql<Row>`${read(now)} where realm_id = ${realmId} and id = ${id}`.pipe(
          Effect.map((rows) => (rows[0] === undefined ? undefined : fromRow(rows[0]))),
          Effect.orDie
        )

      const list = (realmId: RealmId, filter: EventFilter, page: PageOf<"id">, now: DateTime.Utc) => {
        const conditions = [sql`realm_id = ${realmId}`]
        for (const [relation, id] of Object.entries(filter.related)) {
          const column = relationColumns[relation as keyof typeof relationColumns]
          conditions.push(sql`${sql(column)} = ${id}`)
        }
        if (filter.createdAfter !== undefined) conditions.push(sql`event_at > ${date(filter.createdAfter)}`)
        if (filter.earliest !== undefined) conditions.push(sql`id >= ${filter.earliest}`)
        const isOfOneThing = Object.keys(filter.related).some((relation) => relation !== "user" && relation !== "org")
        const isEverything = filter.types.length === eventTypes.length && Object.keys(filter.related).length === 0
        // Each type is read from its own range of an index, so that a rare type needs no scan. One thing other than a user
        // or an org has few events, which are read whatever their type. `offset 0` has each event of the page looked up by
        // its id, so that the page keeps its order.
        const statement =
          isOfOneThing || isEverything
            ? sql<Row>`${read(now)} ${keysetPage(
                sql,
                isEverything ? conditions : [...conditions, sql`event_type = any(${filter.types}::text[])`],
                page
              )}`
            : sql<Row>`${columnsOf(now)} from (
                select e.id from unnest(${filter.types}::text[]) as wanted (event_type)
                cross join lateral (
                  select id from events ${keysetPage(sql, [...conditions, sql`event_type = wanted.event_type`], page)}
                ) e order by e.id ${sql.literal(page.direction)} limit ${page.maxResults + 1}
              ) page cross join lateral (
                select * from events where realm_id = ${realmId} and id = page.id offset 0
              ) events order by page.id ${sql.literal(page.direction)}`
        return statement.pipe(
          Effect.map((rows) => rows.map(fromRow)),
          Effect.orDie
        )
      }

      const since = (id: string, now: DateTime.Utc) =>
        sql<Row>`${read(now)} where id > ${id} order by id limit 1000`.pipe(
          Effect.map((rows) => rows.map(fromRow)),
          Effect.orDie
        )

      const findMany = (ids: ReadonlyArray<Pick<Event, "realmId" | "id">>, now: DateTime.Utc) =>
        sql<Row>`${read(now)} where (realm_id, id) in (select n."realmId", n.id
            from json_to_recordset(${JSON.stringify(ids.map(({ realmId, id }) => ({ realmId, id })))}::json)
              as n ("realmId" text, id text) limit ${ids.length}::int)`.pipe(
          Effect.map((rows) => rows.map(fromRow)),
          Effect.orDie
        )

      return EventsRepo.of({ insert, findMany, find, since, list })
    })
  )
}
