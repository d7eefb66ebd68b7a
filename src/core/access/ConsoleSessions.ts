import { Context, DateTime, Effect, Layer } from "effect"
import { Caller } from "#domain/Caller"
import { CONSOLE_SESSION_HOURS, type ConsoleSession, ConsoleSessionNotFound } from "#domain/ConsoleSession"
import { Entropy } from "#platform/Entropy"
import { randomSecret, sha256Text } from "#platform/Tokens"
import { ApiKeysRepo } from "#store/access/ApiKeysRepo"
import { ConsoleSessionsRepo } from "#store/access/ConsoleSessionsRepo"
import { storedRealm } from "#store/hooks/AppHookRows"
import { Journal } from "../events/Journal.ts"
import type { NewEvent } from "../events/NewEvent.ts"
import { ApiKeys, TOUCH_INTERVAL, UnknownKey } from "./ApiKeys.ts"

const SECRET_FORMAT = /^[0-9A-Za-z]{43}$/

const consoleEvent = (what: "created" | "deleted", { caller }: ConsoleSession): NewEvent => ({
  eventType: `console.session.${what}`,
  apiKeyId: caller.keyId
})

/**
 * The sessions of the console. An API key is exchanged for a cookie with the same permissions (C200). A session ends on
 * logout, when its key is deleted or expires, when the key's realm is deleted, or after 12 hours.
 */
export class ConsoleSessions extends Context.Service<
  ConsoleSessions,
  {
    /**
     * Creates a session with a new secret, and ends the browser's previous session. Records `console.session.created`,
     * and `console.session.deleted` for the previous session.
     */
    signIn(
      key: string,
      previousSecret: string | undefined
    ): Effect.Effect<{ readonly session: ConsoleSession; readonly secret: string }, UnknownKey>
    find(secret: string | undefined): Effect.Effect<ConsoleSession, ConsoleSessionNotFound>
    /** Authenticates a request by its console session, and records the use of the session's API key. */
    authenticate(secret: string | undefined): Effect.Effect<Caller["Service"], ConsoleSessionNotFound>
    /** Ends a session, if there is one. Records `console.session.deleted`. */
    end(secret: string | undefined): Effect.Effect<void>
    /** Ends the other sessions of the same key. Records `console.session.deleted` for each. */
    endOthers(secret: string | undefined): Effect.Effect<void, ConsoleSessionNotFound>
  }
>()("sallyport/core/ConsoleSessions") {
  static readonly layer = Layer.effect(
    ConsoleSessions,
    Effect.gen(function* () {
      const entropy = yield* Entropy
      const repo = yield* ConsoleSessionsRepo
      const apiKeys = yield* ApiKeys
      const apiKeysRepo = yield* ApiKeysRepo
      const journal = yield* Journal
      const scope = yield* Effect.scope

      const load = Effect.fnUntraced(function* (secret: string | undefined) {
        const id = secret !== undefined && SECRET_FORMAT.test(secret) ? sha256Text(secret) : undefined
        const session = id === undefined ? undefined : yield* repo.find(id, yield* DateTime.now)
        return session ?? (yield* new ConsoleSessionNotFound())
      })

      const signIn = Effect.fn("ConsoleSessions.signIn")(function* (key: string, previousSecret: string | undefined) {
        const caller = yield* apiKeys.authenticate(key)
        const apiKey = yield* apiKeysRepo.find(caller.keyId)
        if (apiKey === undefined) return yield* new UnknownKey()
        const secret = randomSecret(entropy)
        const createdAt = yield* DateTime.now
        const latest = DateTime.add(createdAt, { hours: CONSOLE_SESSION_HOURS })
        const expiresAt = apiKey.expiresAt === null ? latest : DateTime.min(latest, apiKey.expiresAt)
        const session: ConsoleSession = { id: sha256Text(secret), caller, keyName: apiKey.name, createdAt, expiresAt }
        const change = { writes: [repo.insertion(session)], events: [consoleEvent("created", session)] }
        const created = yield* journal
          .writeIn(storedRealm(caller.realmId), [change], apiKeysRepo.existing(caller.keyId))
          .pipe(
            Effect.provideService(Caller, caller),
            Effect.catchTag("RealmNotFound", () => Effect.succeed(undefined))
          )
        if (created === undefined) return yield* new UnknownKey()
        yield* end(previousSecret)
        return { session, secret }
      })

      const authenticate = Effect.fnUntraced(function* (secret: string | undefined) {
        const { caller, keyUsedAt } = yield* load(secret)
        const now = yield* DateTime.now
        if (keyUsedAt === null || now.epochMilliseconds - keyUsedAt.epochMilliseconds >= TOUCH_INTERVAL)
          yield* Effect.forkIn(apiKeysRepo.touch(caller.keyId, now), scope)
        return caller
      })

      /**
       * Ends sessions of one API key. Does nothing if the key or its realm was deleted, because its sessions were deleted too.
       */
      const endSessions = (session: ConsoleSession, ids: ReadonlyArray<string>) => {
        const change = { writes: [repo.deletion(ids)], events: ids.map(() => consoleEvent("deleted", session)) }
        return journal
          .writeIn(storedRealm(session.caller.realmId), [change], apiKeysRepo.existing(session.caller.keyId))
          .pipe(
            Effect.provideService(Caller, session.caller),
            Effect.catchTag("RealmNotFound", () => Effect.void),
            Effect.asVoid
          )
      }

      const end = Effect.fn("ConsoleSessions.end")(function* (secret: string | undefined) {
        const session = yield* Effect.catch(load(secret), () => Effect.succeed(undefined))
        if (session !== undefined) yield* endSessions(session, [session.id])
      })

      const endOthers = Effect.fn("ConsoleSessions.endOthers")(function* (secret: string | undefined) {
        const session = yield* load(secret)
        const ids = yield* repo.idsOfKey(session.caller.keyId, yield* DateTime.now)
        const others = ids.filter((id) => id !== session.id)
        if (others.length > 0) yield* endSessions(session, others)
      })

      return ConsoleSessions.of({ signIn, find: load, authenticate, end, endOthers })
    })
  )
}
