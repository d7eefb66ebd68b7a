import { Clock, Context, Data, DateTime, Effect, Layer, Redacted } from "effect"
import { type ApiKey, ApiKeyNotFound, canManageApiKey, MAX_API_KEYS } from "#domain/ApiKey"
import { Caller, type LevelTooLow, levelTooLow } from "#domain/Caller"
import { ACCOUNT, type ApiKeyId, isId, type RealmId, type UserId } from "#domain/Ids"
import { rejectIfAny } from "#domain/KnownProblems"
import { allows, type Level } from "#domain/Level"
import { checkAfter, type Page, type PageOf, pageOf } from "#domain/Page"
import type { RealmNotFound } from "#domain/Realm"
import { type Problem, problem, type Rejected, rejection } from "#domain/Rejected"
import { nonBlank } from "#domain/Text"
import { Entropy } from "#platform/Entropy"
import { IdGenerator } from "#platform/IdGenerator"
import { randomSecret, sha256, sha256Text } from "#platform/Tokens"
import { Transaction } from "#platform/Transaction"
import { makeTtlCache } from "#platform/TtlCache"
import { ApiKeysRepo } from "#store/access/ApiKeysRepo"
import { storedRealm } from "#store/hooks/AppHookRows"
import { Journal } from "../events/Journal.ts"
import type { NewEvent } from "../events/NewEvent.ts"

/** The request has no API key, or an unknown one. */
export class UnknownKey extends Data.TaggedError("UnknownKey") {}

/** The settings of a new key. */
export interface NewApiKey {
  readonly name: string
  readonly level: Level
  readonly realmId: RealmId | null
  readonly expiresAt: DateTime.Utc | null
}

const apiKeyEvent = (what: "created" | "deleted", apiKeyId: ApiKeyId): NewEvent => ({
  eventType: `api_key.${what}`,
  apiKeyId
})

/** The minimum interval between two updates of a key's last-used time, in milliseconds (C3). */
export const TOUCH_INTERVAL = 60_000

/** A cached key, with times in Unix milliseconds. */
interface CachedKey {
  readonly id: ApiKeyId
  readonly caller: Caller["Service"]
  readonly expiresAt: number
  touchedAt: number
}

const toCachedKey = ({ id, level, realmId, expiresAt, lastUsedAt }: ApiKey): CachedKey => ({
  id,
  caller: { by: { type: "api_key", id }, level, realmId },
  expiresAt: expiresAt?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
  touchedAt: lastUsedAt?.epochMilliseconds ?? Number.NEGATIVE_INFINITY
})

const newKeyProblems = ({ name, realmId, level, expiresAt }: NewApiKey, now: DateTime.Utc): ReadonlyArray<Problem> => {
  const problems: Array<Problem> = nonBlank(name) === null ? [problem("name", "blank")] : []
  if (realmId !== null && level === "admin_all_realms") problems.push(problem("level", "not_for_locked_key"))
  if (expiresAt !== null && DateTime.isLessThanOrEqualTo(expiresAt, now))
    problems.push(problem("expires_at", "in_past"))
  return problems
}

/** Authenticates callers by their API keys, and manages the keys (C1 to C3). */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** Authenticates a caller. A key revoked on another node is rejected within a second. */
    authenticate(key: string): Effect.Effect<Caller["Service"], UnknownKey>
    /** Like `authenticate`, and returns the key's settings. */
    find(key: string): Effect.Effect<ApiKey, UnknownKey>
    /**
     * Ensures that a root key exists. If a key is configured, it becomes the root key. Otherwise one is generated, unless a
     * root key already exists. A generated key is passed to `keep` to be saved, and returned only this once; if `keep` fails,
     * no key is created. Records `api_key.created` for a new key and `api_key.deleted` for each key that it replaces.
     */
    ensureRoot<E = never>(
      configured: Redacted.Redacted | undefined,
      keep?: (key: Redacted.Redacted) => Effect.Effect<void, E>
    ): Effect.Effect<Redacted.Redacted | undefined, E>
    /** Records `api_key.created`. */
    create(
      request: NewApiKey
    ): Effect.Effect<{ readonly apiKey: ApiKey; readonly key: string }, LevelTooLow | Rejected | RealmNotFound, Caller>
    /**
     * Finds a key that the caller may manage. If a realm is given, `get`, `list` and `delete` only see the keys of that realm.
     */
    get(realmId: RealmId | undefined, id: string): Effect.Effect<ApiKey, ApiKeyNotFound, Caller>
    list(realmId: RealmId | undefined, page: PageOf<"id">): Effect.Effect<Page<ApiKey>, ApiKeyNotFound, Caller>
    /** Lists the unexpired keys that an operator created, who may have been removed. */
    listCreatedBy(id: UserId, page: PageOf<"id">): Effect.Effect<Page<ApiKey>, ApiKeyNotFound, Caller>
    /** Deletes the unexpired keys that an operator created. Records `api_key.deleted` for each. */
    deleteCreatedBy(id: UserId): Effect.Effect<void, never, Caller>
    /** Records `api_key.deleted`. */
    delete(realmId: RealmId | undefined, id: string): Effect.Effect<void, ApiKeyNotFound, Caller>
  }
>()("sallyport/core/ApiKeys") {
  static readonly layer = Layer.effect(
    ApiKeys,
    Effect.gen(function* () {
      const ids = yield* IdGenerator
      const entropy = yield* Entropy
      const repo = yield* ApiKeysRepo
      const journal = yield* Journal
      const transaction = yield* Transaction
      const scope = yield* Effect.scope

      const clock = yield* Clock.Clock

      const cache = yield* makeTtlCache("api_keys", (digest: string) =>
        Effect.flatMap(repo.findByDigest(Buffer.from(digest, "base64")), (key) =>
          key === undefined ? Effect.fail(new UnknownKey()) : Effect.succeed(toCachedKey(key))
        )
      )

      /** Records the use of a key in the background, at most once a minute. */
      const touch = (key: CachedKey, now: number) =>
        Effect.suspend(() => {
          key.touchedAt = now
          return Effect.forkIn(repo.touch(key.id, DateTime.makeUnsafe(now)), scope)
        })

      const authenticate = (text: string) =>
        Effect.flatMapEager(cache.get(sha256Text(text)), (key) => {
          const now = clock.currentTimeMillisUnsafe()
          if (key.expiresAt <= now) return Effect.fail(new UnknownKey())
          return now - key.touchedAt < TOUCH_INTERVAL
            ? Effect.succeed(key.caller)
            : Effect.as(touch(key, now), key.caller)
        })

      const findKey = Effect.fnUntraced(function* (text: string) {
        yield* authenticate(text)
        return (yield* repo.findByDigest(sha256(text))) ?? (yield* new UnknownKey())
      })

      const newKey = Effect.fnUntraced(function* (request: NewApiKey) {
        const id = yield* ids.make("apiKey")
        const apiKey: ApiKey = { ...request, id, createdAt: yield* DateTime.now, lastUsedAt: null }
        return { apiKey, key: `sk_${id.slice("key_".length)}_${randomSecret(entropy)}` }
      })

      const root: NewApiKey = { name: "root", level: "admin_all_realms", realmId: null, expiresAt: null }

      const ensureRoot = Effect.fn("ApiKeys.ensureRoot")(function* <E = never>(
        configured: Redacted.Redacted | undefined,
        keep?: (key: Redacted.Redacted) => Effect.Effect<void, E>
      ) {
        const { apiKey, key } = yield* newKey(root)
        const generated = Redacted.make(key)
        const put =
          configured === undefined
            ? Effect.map(repo.insertFirst(apiKey, sha256(key)), (created) => ({ created, deleted: [] }))
            : repo.putRoot(apiKey, sha256(Redacted.value(configured)))
        const { created } = yield* transaction.run(
          Effect.tap(put, ({ created, deleted }) =>
            Effect.gen(function* () {
              const events = deleted.map((id) => apiKeyEvent("deleted", id))
              if (created) events.push(apiKeyEvent("created", apiKey.id))
              yield* Effect.orDie(journal.recordIn(ACCOUNT, events))
              if (created && configured === undefined && keep !== undefined) yield* keep(generated)
            })
          )
        )
        return created && configured === undefined ? generated : undefined
      })

      const create = Effect.fn("ApiKeys.create")(function* (request: NewApiKey) {
        const caller = yield* Caller
        if (!allows(caller.level, request.level)) return yield* levelTooLow(caller, { level: request.level })
        if (!canManageApiKey(caller, request.realmId)) return yield* levelTooLow(caller, { level: "admin_all_realms" })
        yield* rejectIfAny(newKeyProblems(request, yield* DateTime.now))
        const created = yield* newKey(request)
        const { id, realmId } = created.apiKey
        const change = {
          writes: [
            repo.insertion(created.apiKey, sha256(created.key), caller.by.type === "operator" ? caller.by.id : null)
          ],
          events: [apiKeyEvent("created", id)]
        }
        yield* transaction.run(
          Effect.gen(function* () {
            if (realmId !== null && (yield* repo.count(realmId)) >= MAX_API_KEYS)
              return yield* rejection(null, "too_many_api_keys", { most: MAX_API_KEYS })
            yield* journal.writeIn(storedRealm(realmId), [change])
          })
        )
        return created
      })

      const get = Effect.fn("ApiKeys.get")(function* (realmId: RealmId | undefined, id: string) {
        const key = isId("apiKey", id) ? yield* repo.find(id) : undefined
        if (key === undefined || !canManageApiKey(yield* Caller, key.realmId)) return yield* new ApiKeyNotFound({ id })
        return realmId === undefined || key.realmId === realmId ? key : yield* new ApiKeyNotFound({ id })
      })

      const list = Effect.fn("ApiKeys.list")(function* (realmId: RealmId | undefined, page: PageOf<"id">) {
        const caller = yield* Caller
        yield* checkAfter(page, "apiKey", (id) => get(realmId, id))
        const realmKeysOnly = caller.level !== "admin_all_realms"
        return pageOf(yield* repo.list(realmId, realmKeysOnly, page), page.maxResults)
      })

      const remove = Effect.fn("ApiKeys.delete")(function* (realmId: RealmId | undefined, id: string) {
        const key = yield* get(realmId, id)
        const change = { writes: [repo.deletion(key.id)], events: [apiKeyEvent("deleted", key.id)] }
        const deleted = yield* Effect.catchTag(
          journal.writeIn(storedRealm(key.realmId), [change], repo.existing(key.id)),
          "RealmNotFound",
          () => Effect.succeed(undefined)
        )
        if (deleted === undefined) return yield* new ApiKeyNotFound({ id })
        yield* transaction.afterCommit(cache.invalidateAll)
      })

      const listCreatedBy = Effect.fn("ApiKeys.listCreatedBy")(function* (id: UserId, page: PageOf<"id">) {
        yield* checkAfter(page, "apiKey", (after) => get(undefined, after))
        return pageOf(yield* repo.listCreatedBy(id, page, yield* DateTime.now), page.maxResults)
      })

      const deleteCreatedBy = Effect.fn("ApiKeys.deleteCreatedBy")(function* (id: UserId) {
        yield* transaction.run(
          Effect.gen(function* () {
            const byRealm = Map.groupBy(yield* repo.lockCreatedBy(id, yield* DateTime.now), ({ realmId }) => realmId)
            for (const [realmId, keys] of byRealm) {
              const writes = keys.map((key) => repo.deletion(key.id))
              const events = keys.map((key) => apiKeyEvent("deleted", key.id))
              // The keys of a realm that has just been deleted no longer work.
              yield* Effect.ignore(journal.writeIn(storedRealm(realmId), [{ writes, events }]))
            }
          })
        )
        yield* transaction.afterCommit(cache.invalidateAll)
      })

      return ApiKeys.of({
        authenticate,
        find: findKey,
        ensureRoot,
        create,
        get,
        list,
        listCreatedBy,
        deleteCreatedBy,
        delete: remove
      })
    })
  )
}
