import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { AccountMail } from "#domain/AccountNotice"
import type { Event, EventType } from "#domain/Event"
import { ACCOUNT, type RealmId, SYSTEM } from "#domain/Ids"
import type { PageOf } from "#domain/Page"
import { type ActiveHooks, activeHooks, hookFields } from "../hooks/ActiveHooks.ts"
import { date } from "../statements/Rows.ts"
import { conflictAmong, type Guard, realmLockOf, steps, type Write } from "../statements/Writes.ts"
import { type EventFilter, eventPage } from "./EventPage.ts"
import { fromRow, insertions, type Row, type StoredEvent } from "./EventRows.ts"

/** Events to insert, together with other writes of the same statement. */
export interface JournalEntry<Conflict, Row, A> {
  /** A row that must exist. Otherwise nothing is written. */
  readonly guard: Guard<Row, A> | undefined
  /** The changes reported by the events. */
  readonly writes: ReadonlyArray<Write<Conflict>>
  readonly events: ReadonlyArray<Event>
  /** Further event types to look up hooks for. */
  readonly unrecordedTypes?: ReadonlyArray<EventType>
  /** Deliveries to the hooks in `assumed`. */
  readonly deliveries: ReadonlyArray<Write>
  /** The hooks that are assumed to be active. */
  readonly assumed: ActiveHooks
  /** The default emails about login methods that the events trigger. Hooks for other emails of this kind are ignored. */
  readonly accountMails: ReadonlyArray<AccountMail>
}

/** The database state found when trying to insert the entry. */
export interface JournalState<A> {
  /** The active hooks that may be subscribed to the events. */
  readonly active: ActiveHooks
  /** The row that the guard found, if any. */
  readonly guard: A | undefined
}

/** Stores events. */
export class EventsRepo extends Context.Service<
  EventsRepo,
  {
    /**
     * Inserts an entry in one statement and locks its realm against deletion. Writes nothing if the active hooks differ
     * from the assumed ones or if the guard finds no row. Returns undefined if the realm has been deleted.
     */
    insert<Conflict, Row extends object, A>(
      realmId: RealmId,
      entry: JournalEntry<Conflict, Row, A>
    ): Effect.Effect<JournalState<A> | undefined, Conflict>
    /** Finds the events with these realms and ids. */
    findMany(
      ids: ReadonlyArray<Pick<Event, "realmId" | "id">>,
      now: DateTime.Utc
    ): Effect.Effect<ReadonlyArray<StoredEvent>>
    find(realmId: RealmId, id: string, now: DateTime.Utc): Effect.Effect<StoredEvent | undefined>
    /** Returns the oldest 1,000 events with ids after `id`, in all realms. */
    since(id: string, now: DateTime.Utc): Effect.Effect<ReadonlyArray<StoredEvent>>
    /** Returns one more row than fits on the page, ordered by id. */
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

      const insert = <Conflict, Row extends object, A>(
        realmId: RealmId,
        {
          guard,
          writes,
          events,
          unrecordedTypes = [],
          deliveries,
          assumed,
          accountMails
        }: JournalEntry<Conflict, Row, A>
      ): Effect.Effect<JournalState<A> | undefined, Conflict> => {
        const types = [...new Set([...events.map(({ eventType }) => eventType), ...unrecordedTypes])]
        const all = [...writes, ...insertions(sql, events), ...deliveries]
        const guardClauses = {
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
              from app_hooks h where h.realm_id in (${realmId}, ${realmId === SYSTEM ? SYSTEM : ACCOUNT}) and h.state = 'active'
                and (h.event_types = '{}' or h.event_types && ${types}::text[])
                and (h.default_of is null or h.default_of not like 'account.%'
                  or h.default_of = any(${accountMails}::text[]))
            )${guardClauses.table}, step0 as (
              select r.id as realm_id from realm r, active a${guardClauses.step0} where a.hooks = ${assumed.text}
            )${steps(sql, all)}
            select a.hooks as active_hooks${guardClauses.columns} from realm r, active a${guardClauses.join}`.pipe(
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

      const list = (realmId: RealmId, filter: EventFilter, page: PageOf<"id">, now: DateTime.Utc) =>
        sql<Row>`${eventPage(sql, columnsOf(now), realmId, filter, page)}`.pipe(
          Effect.map((rows) => rows.map(fromRow)),
          Effect.orDie
        )

      const since = (id: string, now: DateTime.Utc) =>
        sql<Row>`${read(now)} where id > ${id} and realm_id <> ${SYSTEM} order by id limit 1000`.pipe(
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
