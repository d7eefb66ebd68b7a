import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import {
  type AppHook,
  type HookState,
  type HookSubscription,
  type HookType,
  hookStates,
  hookTypes
} from "#domain/AppHook"
import type { DefaultMailName } from "#domain/DefaultMail"
import type { EventType } from "#domain/Event"
import { ACCOUNT, type HookId, type RealmId, SYSTEM } from "#domain/Ids"
import type { PageOf } from "#domain/Page"
import type { SecretLocation } from "#platform/SecretLocation"
import { Secrets } from "#platform/Secrets"
import { mergedPage } from "../statements/MergedPage.ts"
import { date, utc } from "../statements/Rows.ts"
import { insertionInto, type Write } from "../statements/Writes.ts"
import { activeHooks, hookFields } from "./ActiveHooks.ts"
import { type HookRow, hookFromRow, mutableHookColumns, newHookRow, storedRealm } from "./AppHookRows.ts"

/** The filters for lists of hooks. If `realmId` is null, only hooks for all realms match. If it is undefined, all hooks do. */
export interface HookFilter {
  readonly realmId: RealmId | null | undefined
  readonly hookType: HookType | undefined
  readonly state: HookState | undefined
}

/**
 * The secrets that sign a webhook's requests. For some time after a rotation, there are two. `current` is null if it cannot
 * be decrypted.
 */
export interface HookSecrets {
  readonly current: string | null
  readonly previous: { readonly secret: string; readonly until: DateTime.Utc } | null
}

/** The key of a hook: its id and its realm, which is null for all realms. */
export type HookKey = Pick<AppHook, "id" | "realmId">

interface SecretsRow {
  readonly secret: string
  readonly previous_secret: string | null
  readonly previous_secret_until: Date | null
}

const currentLocation = ({ realmId, id }: HookKey): SecretLocation => ({
  table: "app_hooks",
  column: "secret",
  row: id,
  realm: storedRealm(realmId)
})

const previousLocation = ({ realmId, id }: HookKey): SecretLocation => ({
  table: "app_hooks",
  column: "previous_secret",
  row: id,
  realm: storedRealm(realmId)
})

/** Stores hooks. Queries don't return hooks of a deleted realm, unless stated otherwise. */
export class AppHooksRepo extends Context.Service<
  AppHooksRepo,
  {
    /** Inserts hooks. `secret` is a webhook's secret. */
    insert(hooks: ReadonlyArray<AppHook>, secret?: string): Effect.Effect<void>
    /** A write that inserts hooks of one realm, without secrets. */
    insertion(hooks: ReadonlyArray<AppHook>): Write
    find(id: HookId): Effect.Effect<AppHook | undefined>
    findForUpdate(id: HookId): Effect.Effect<AppHook | undefined>
    /** Returns whether a realm has the hook of a default email. */
    hasDefault(realmId: RealmId, name: DefaultMailName): Effect.Effect<boolean>
    /** Returns one more row than fits on the page, ordered by id. */
    list(filter: HookFilter, page: PageOf<"id">): Effect.Effect<ReadonlyArray<AppHook>>
    update(hook: AppHook): Effect.Effect<void>
    delete(key: HookKey): Effect.Effect<void>
    /** Deletes a realm's hooks. */
    deleteOfRealm(realmId: RealmId): Effect.Effect<void>
    secrets(key: HookKey): Effect.Effect<HookSecrets | undefined>
    setSecrets(key: HookKey, secrets: HookSecrets & { readonly current: string }): Effect.Effect<void>
    /** Finds the hook for a delivery, even if its realm is deleted. */
    /** The active hooks of a realm, and those for all realms, that may be subscribed to this type of event. */
    activeFor(realmId: RealmId, eventType: EventType): Effect.Effect<ReadonlyArray<HookSubscription>>
    findForDelivery(key: HookKey): Effect.Effect<AppHook | undefined>
    /** Deletes a hook if its realm is deleted and the hook has no deliveries in progress. */
    deleteOfDeletedRealm(key: HookKey): Effect.Effect<void>
    /** Stores the time since which all attempts of a hook have failed, or null after a success. */
    setFailingSince(key: HookKey, since: DateTime.Utc | null): Effect.Effect<void>
  }
>()("sallyport/store/AppHooksRepo") {
  static readonly layer = Layer.effect(
    AppHooksRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const secrets = yield* Secrets

      const columns = `h.realm_id, h.id, h.version, h.state, h.hook_type, h.event_types, h.delay,
        h.destination, h.email_from, h.email_from_name, h.email_renderer, h.email_subject, h.email_template, h.email_to,
        h.user_type, h.default_of, h.failing_since, h.created_at`
      const selectHooks = sql.literal(`select ${columns} from app_hooks h`)
      const ofRealm = sql`h.realm_id <> ${SYSTEM} and not exists (select from realms r
        where r.id = h.realm_id and r.deleted_at is not null and r.id <> ${ACCOUNT})`
      const one = Effect.map((rows: ReadonlyArray<HookRow>) =>
        rows[0] === undefined ? undefined : hookFromRow(rows[0])
      )

      const insert = Effect.fnUntraced(function* (hooks: ReadonlyArray<AppHook>, secret?: string) {
        const [first, ...others] = yield* Effect.forEach(hooks, (hook) =>
          secret === undefined
            ? Effect.succeed(newHookRow(hook, null))
            : Effect.map(secrets.encrypt(currentLocation(hook), secret), (encrypted) => newHookRow(hook, encrypted))
        )
        if (first !== undefined) yield* sql`insert into app_hooks ${sql.insert([first, ...others])}`.pipe(Effect.orDie)
      })

      const list = ({ realmId, hookType, state }: HookFilter, page: PageOf<"id">) => {
        const conditions = [ofRealm]
        if (realmId !== undefined) conditions.push(sql`h.realm_id = ${storedRealm(realmId)}`)
        const filters = {
          "h.state": state === undefined ? hookStates : [state],
          "h.hook_type": hookType === undefined ? hookTypes : [hookType]
        }
        const kinds = state === undefined && hookType === undefined ? {} : filters
        return sql<HookRow>`${mergedPage(sql, { columns, from: "app_hooks h" }, kinds, conditions, page, { id: "h.id" })}`.pipe(
          Effect.map((rows) => rows.map(hookFromRow)),
          Effect.orDie
        )
      }

      const readSecrets = Effect.fnUntraced(function* (key: HookKey) {
        const [row] = yield* sql<SecretsRow>`select secret, previous_secret, previous_secret_until from app_hooks
          where realm_id = ${storedRealm(key.realmId)} and id = ${key.id} and secret is not null`.pipe(Effect.orDie)
        if (row === undefined) return undefined
        const current = yield* secrets.decrypt(currentLocation(key), row.secret)
        if (row.previous_secret === null || row.previous_secret_until === null) return { current, previous: null }
        const previous = yield* secrets.decrypt(previousLocation(key), row.previous_secret)
        if (previous === null) return { current, previous }
        return { current, previous: { secret: previous, until: utc(row.previous_secret_until) } }
      })

      const setSecrets = Effect.fnUntraced(function* (
        key: HookKey,
        { current, previous }: HookSecrets & { readonly current: string }
      ) {
        const encrypted = {
          secret: yield* secrets.encrypt(currentLocation(key), current),
          previous_secret: previous === null ? null : yield* secrets.encrypt(previousLocation(key), previous.secret),
          previous_secret_until: previous === null ? null : date(previous.until)
        }
        yield* sql`update app_hooks set ${sql.update(encrypted)}
          where realm_id = ${storedRealm(key.realmId)} and id = ${key.id}`.pipe(Effect.orDie)
      })

      return AppHooksRepo.of({
        insert,
        insertion: (hooks) =>
          insertionInto(
            sql,
            "app_hooks",
            hooks.map((hook) => {
              const { realm_id: _, ...row } = newHookRow(hook, null)
              return row
            })
          ),
        find: (id) => sql<HookRow>`${selectHooks} where h.id = ${id} and ${ofRealm}`.pipe(one, Effect.orDie),
        findForUpdate: (id) =>
          sql<HookRow>`${selectHooks} where h.id = ${id} and ${ofRealm} for update of h`.pipe(one, Effect.orDie),
        hasDefault: (realmId, name) =>
          sql`select 1 as found from app_hooks where realm_id = ${realmId} and default_of = ${name} limit 1`.pipe(
            Effect.map((rows) => rows.length > 0),
            Effect.orDie
          ),
        list,
        update: (hook) =>
          sql`update app_hooks set ${sql.update(mutableHookColumns(hook))}
            where realm_id = ${storedRealm(hook.realmId)} and id = ${hook.id}`.pipe(Effect.asVoid, Effect.orDie),
        delete: ({ realmId, id }) =>
          sql`delete from app_hooks where realm_id = ${storedRealm(realmId)} and id = ${id}`.pipe(
            Effect.asVoid,
            Effect.orDie
          ),
        deleteOfRealm: (realmId) =>
          sql`delete from app_hooks where realm_id = ${realmId}`.pipe(Effect.asVoid, Effect.orDie),
        secrets: readSecrets,
        setSecrets,
        activeFor: (realmId, eventType) =>
          sql<{ readonly hooks: string }>`select coalesce(json_agg(${sql.literal(hookFields)}), '[]')::text as hooks
            from app_hooks h where h.realm_id in (${realmId}, ${ACCOUNT}) and h.state = 'active'
              and (h.event_types = '{}' or h.event_types && ${[eventType]}::text[])`.pipe(
            Effect.map(([row]) => (row === undefined ? [] : activeHooks(row.hooks).hooks)),
            Effect.orDie
          ),
        findForDelivery: ({ realmId, id }) =>
          sql<HookRow>`select ${sql.literal(columns)} from app_hooks h where h.realm_id = ${storedRealm(realmId)} and h.id = ${id}`.pipe(
            one,
            Effect.orDie
          ),
        deleteOfDeletedRealm: ({ realmId, id }) =>
          sql`delete from app_hooks h using realms r where h.realm_id = ${storedRealm(realmId)} and h.id = ${id}
            and r.id = h.realm_id and r.deleted_at is not null and r.id <> ${ACCOUNT} and not exists (
              select from deliveries d where d.hook_realm_id = h.realm_id and d.hook_id = h.id
                and d.state = 'in_progress')`.pipe(Effect.asVoid, Effect.orDie),
        setFailingSince: ({ realmId, id }, since) =>
          sql`update app_hooks set failing_since = ${since === null ? null : date(since)}
            where realm_id = ${storedRealm(realmId)} and id = ${id}
              and failing_since is ${sql.literal(since === null ? "not null" : "null")}`.pipe(
            Effect.asVoid,
            Effect.orDie
          )
      })
    })
  )
}
