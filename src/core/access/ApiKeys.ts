import { Clock, Context, Data, DateTime, Effect, Layer, Redacted } from "effect"
import { type ApiKey, ApiKeyNotFound, manages } from "#domain/ApiKey"
import { allows, Caller, type Level, LevelTooLow } from "#domain/Caller"
import { isId, type RealmId } from "#domain/Ids"
import { checkAfter, type Page, type PageOf, pageOf } from "#domain/Page"
import { type Rejected, rejected } from "#domain/Rejected"
import { Entropy } from "#platform/Entropy"
import { IdGenerator } from "#platform/IdGenerator"
import { secretText, sha256, sha256Text } from "#platform/Tokens"
import { Transaction } from "#platform/Transaction"
import { freshCache } from "#platform/TtlCache"
import { ApiKeysRepo } from "#store/ApiKeysRepo"

/** No key, or none that the service knows. */
export class UnknownKey extends Data.TaggedError("UnknownKey") {}

/** What a caller asks for in a new key. */
export interface NewApiKey {
  readonly name: string
  readonly level: Level
  readonly realmId: RealmId | null
  readonly expiresAt: DateTime.Utc | null
}

/** How often the use of a key is noted at most, in milliseconds (decision 3). */
const TOUCH_EVERY = 60_000

/** A key as each request needs it, its times in Unix milliseconds. */
interface KeyInUse {
  readonly caller: Caller["Service"]
  readonly expiresAt: number
  touchedAt: number
}

const inUse = ({ id, level, realmId, expiresAt, lastUsedAt }: ApiKey): KeyInUse => ({
  caller: { keyId: id, level, realmId },
  expiresAt: expiresAt?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
  touchedAt: lastUsedAt?.epochMilliseconds ?? Number.NEGATIVE_INFINITY
})

/** Management keys (decisions 1 to 3): who may call, and with what level. */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** Who presents this key. What another node revokes is refused here within a second. */
    authenticate(key: string): Effect.Effect<Caller["Service"], UnknownKey>
    /** Sets up the root key: the configured one, else a fresh one, returned this once, where no key of its level exists. */
    ensureRoot(configured: Redacted.Redacted | undefined): Effect.Effect<Redacted.Redacted | undefined>
    create(
      asked: NewApiKey
    ): Effect.Effect<{ readonly apiKey: ApiKey; readonly key: string }, LevelTooLow | Rejected, Caller>
    /** A key that the caller manages; of one realm only, where one is named. So for all three. */
    get(realmId: RealmId | undefined, id: string): Effect.Effect<ApiKey, ApiKeyNotFound, Caller>
    list(realmId: RealmId | undefined, page: PageOf<"id">): Effect.Effect<Page<ApiKey>, ApiKeyNotFound, Caller>
    delete(realmId: RealmId | undefined, id: string): Effect.Effect<void, ApiKeyNotFound, Caller>
  }
>()("sallyport/core/ApiKeys") {
  static readonly layer = Layer.effect(
    ApiKeys,
    Effect.gen(function* () {
      const ids = yield* IdGenerator
      const entropy = yield* Entropy
      const repo = yield* ApiKeysRepo
      const transaction = yield* Transaction
      const scope = yield* Effect.scope

      const clock = yield* Clock.Clock

      const cache = yield* freshCache((digest: string) =>
        Effect.flatMap(repo.findByDigest(Buffer.from(digest, "base64")), (key) =>
          key === undefined ? Effect.fail(new UnknownKey()) : Effect.succeed(inUse(key))
        )
      )

      /** Notes the use of a key, at most once a minute and off the caller's path. */
      const touch = (key: KeyInUse, now: number) => {
        key.touchedAt = now
        return Effect.forkIn(repo.touch(key.caller.keyId, DateTime.makeUnsafe(now)), scope)
      }

      const authenticate = (text: string) =>
        Effect.flatMap(cache.get(sha256Text(text)), (key) => {
          const now = clock.currentTimeMillisUnsafe()
          if (key.expiresAt <= now) return Effect.fail(new UnknownKey())
          return now - key.touchedAt < TOUCH_EVERY ? Effect.succeed(key.caller) : Effect.as(touch(key, now), key.caller)
        })

      const newKey = Effect.fnUntraced(function* (asked: NewApiKey) {
        const id = yield* ids.make("apiKey")
        const apiKey: ApiKey = { ...asked, id, createdAt: yield* DateTime.now, lastUsedAt: null }
        return { apiKey, key: `sk_${id.slice("key_".length)}_${secretText(entropy)}` }
      })

      const root: NewApiKey = { name: "root", level: "admin_all_realms", realmId: null, expiresAt: null }

      const ensureRoot = Effect.fn("ApiKeys.ensureRoot")(function* (configured: Redacted.Redacted | undefined) {
        const { apiKey, key } = yield* newKey(root)
        if (configured !== undefined) {
          yield* repo.putRoot(apiKey, sha256(Redacted.value(configured)))
          return undefined
        }
        return (yield* repo.insertFirst(apiKey, sha256(key))) ? Redacted.make(key) : undefined
      })

      const create = Effect.fn("ApiKeys.create")(function* (asked: NewApiKey) {
        const caller = yield* Caller
        if (!allows(caller.level, asked.level)) return yield* new LevelTooLow({ required: asked.level })
        if (!manages(caller, asked.realmId)) return yield* new LevelTooLow({ required: "admin_all_realms" })
        if (asked.realmId !== null && asked.level === "admin_all_realms") {
          return yield* rejected("level", "not_for_locked_key")
        }
        if (asked.expiresAt !== null && DateTime.isLessThanOrEqualTo(asked.expiresAt, yield* DateTime.now)) {
          return yield* rejected("expires_at", "in_past")
        }
        const made = yield* newKey(asked)
        yield* repo.insert(made.apiKey, sha256(made.key))
        return made
      })

      const get = Effect.fn("ApiKeys.get")(function* (realmId: RealmId | undefined, id: string) {
        const key = isId("apiKey", id) ? yield* repo.find(id) : undefined
        if (key === undefined || !manages(yield* Caller, key.realmId)) return yield* new ApiKeyNotFound({ id })
        return realmId === undefined || key.realmId === realmId ? key : yield* new ApiKeyNotFound({ id })
      })

      const list = Effect.fn("ApiKeys.list")(function* (realmId: RealmId | undefined, page: PageOf<"id">) {
        const caller = yield* Caller
        yield* checkAfter(page, (id) => get(realmId, id))
        const lockedOnly = caller.level !== "admin_all_realms"
        return pageOf(yield* repo.list(realmId, lockedOnly, page), page.maxResults)
      })

      const remove = Effect.fn("ApiKeys.delete")(function* (realmId: RealmId | undefined, id: string) {
        const key = yield* get(realmId, id)
        yield* repo.delete(key.id)
        yield* transaction.afterCommit(cache.forgetAll)
      })

      return ApiKeys.of({ authenticate, ensureRoot, create, get, list, delete: remove })
    })
  )
}
