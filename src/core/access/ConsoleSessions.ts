import { Context, Data, DateTime, Effect, Layer } from "effect"
import type { ApiKey } from "#domain/ApiKey"
import { Caller } from "#domain/Caller"
import { CONSOLE_SESSION_HOURS, type ConsoleSession, ConsoleSessionNotFound } from "#domain/ConsoleSession"
import { ACCOUNT, type ApiKeyId } from "#domain/Ids"
import type { Operator } from "#domain/Operator"
import { rolePermissions } from "#domain/OperatorRole"
import { Entropy } from "#platform/Entropy"
import { randomSecret, sha256Text } from "#platform/Tokens"
import { Transaction } from "#platform/Transaction"
import { ApiKeysRepo } from "#store/access/ApiKeysRepo"
import { ConsoleSessionsRepo, type StoredConsoleSession } from "#store/access/ConsoleSessionsRepo"
import { ConsoleSettingsRepo } from "#store/access/ConsoleSettingsRepo"
import { OperatorsRepo } from "#store/access/OperatorsRepo"
import { storedRealm } from "#store/hooks/AppHookRows"
import type { Guard } from "#store/statements/Writes"
import { Journal } from "../events/Journal.ts"
import type { NewEvent } from "../events/NewEvent.ts"
import { ApiKeys, TOUCH_INTERVAL, UnknownKey } from "./ApiKeys.ts"

const SECRET_FORMAT = /^[0-9A-Za-z]{43}$/

/** How long a login link works, in minutes. */
const LOGIN_LINK_MINUTES = 15

/** The login link is unknown, was already used or has expired. */
export class LoginLinkOver extends Data.TaggedError("LoginLinkOver") {}

/** API keys may not log in to the console. */
export class ConsoleKeysOff extends Data.TaggedError("ConsoleKeysOff") {}

/** A new session, with the secret for the cookie. */
export interface CreatedConsoleSession {
  readonly session: ConsoleSession
  readonly secret: string
}

const consoleEvent = (what: "created" | "deleted", { caller: { by } }: ConsoleSession): NewEvent => ({
  eventType: `console.session.${what}`,
  ...(by.type === "api_key" ? { apiKeyId: by.id } : { userId: by.id })
})

const callerOfKey = ({ id, level, realmId }: Pick<ApiKey, "id" | "level" | "realmId">): Caller["Service"] => ({
  by: { type: "api_key", id },
  level,
  realmId
})

/** The caller that an operator is in the console, with the permissions of the operator's current role. */
const callerOfOperator = ({ id, email, role, lockedTo }: Operator): Caller["Service"] => ({
  by: { type: "operator", id, email, role },
  level: rolePermissions[role].level,
  realmId: lockedTo
})

/** The realm whose events show a session. Operators belong to the account. */
const realmOf = ({ caller: { by, realmId } }: ConsoleSession) =>
  by.type === "operator" ? ACCOUNT : storedRealm(realmId)

/**
 * The sessions of the console. An API key, or an operator's login, is exchanged for a cookie with the same permissions (C200).
 * A session of an API key ends on logout, when the key is deleted or expires, when the key's realm is deleted, when API keys
 * may no longer log in, or after 12 hours. An operator's session ends with the login, which ends when the operator is removed.
 */
export class ConsoleSessions extends Context.Service<
  ConsoleSessions,
  {
    /** Whether API keys may log in: the deployment allows it, and no owner has turned it off. */
    readonly allowsKeys: Effect.Effect<boolean>
    /** Whether an operator has logged in at least once. */
    readonly hasOperators: Effect.Effect<boolean>
    /**
     * Creates a session with a new secret, and ends the browser's previous session. Records `console.session.created`,
     * and `console.session.deleted` for the previous session.
     */
    signIn(
      key: string,
      previousSecret: string | undefined
    ): Effect.Effect<CreatedConsoleSession, UnknownKey | ConsoleKeysOff>
    /**
     * Returns the token of a link that logs in with the root key, once and for 15 minutes (C308). It replaces the previous link.
     * Returns undefined if there is no root key or API keys may not log in.
     */
    readonly makeLoginLink: Effect.Effect<string | undefined>
    /** Like `signIn`, with the token of a login link. */
    signInWithLink(
      token: string,
      previousSecret: string | undefined
    ): Effect.Effect<CreatedConsoleSession, LoginLinkOver | ConsoleKeysOff>
    /**
     * Like `signIn`, for the operator who is logged in on the console's login pages. `loginSecret` is the secret of that login.
     * The first login accepts the invitation.
     */
    signInOperator(
      loginSecret: string | undefined,
      previousSecret: string | undefined
    ): Effect.Effect<CreatedConsoleSession, ConsoleSessionNotFound>
    find(secret: string | undefined): Effect.Effect<ConsoleSession, ConsoleSessionNotFound>
    /** Authenticates a request by its console session, and records the use of the session's API key. */
    authenticate(secret: string | undefined): Effect.Effect<Caller["Service"], ConsoleSessionNotFound>
    /** Ends a session, if there is one. Records `console.session.deleted`. */
    end(secret: string | undefined): Effect.Effect<void>
    /** Ends the other sessions of the same key or operator. Records `console.session.deleted` for each. */
    endOthers(secret: string | undefined): Effect.Effect<void, ConsoleSessionNotFound>
  }
>()("sallyport/core/ConsoleSessions") {
  /** `consoleKeys` is whether the deployment allows API keys to log in. */
  static readonly layer = (options: { readonly consoleKeys: boolean }) => Layer.effect(ConsoleSessions, make(options))
}

const make = Effect.fnUntraced(function* ({ consoleKeys }: { readonly consoleKeys: boolean }) {
  const entropy = yield* Entropy
  const repo = yield* ConsoleSessionsRepo
  const settings = yield* ConsoleSettingsRepo
  const apiKeys = yield* ApiKeys
  const apiKeysRepo = yield* ApiKeysRepo
  const operators = yield* OperatorsRepo
  const journal = yield* Journal
  const transaction = yield* Transaction
  const scope = yield* Effect.scope

  const allowsKeys = consoleKeys ? settings.allowsApiKeys : Effect.succeed(false)

  const findStored = Effect.fnUntraced(function* (secret: string | undefined, now: DateTime.Utc) {
    const id = secret !== undefined && SECRET_FORMAT.test(secret) ? sha256Text(secret) : undefined
    const stored = id === undefined ? undefined : yield* repo.find(id, now)
    return stored ?? (yield* new ConsoleSessionNotFound())
  })

  /** Returns the session with the current permissions of its owner. */
  const current = Effect.fnUntraced(function* (stored: StoredConsoleSession, now: DateTime.Utc) {
    const { owner, allowsKeys: isAllowed, ...session } = stored
    if (owner.type === "api_key") {
      if (!consoleKeys || !isAllowed) return yield* new ConsoleSessionNotFound()
      const found: ConsoleSession = {
        ...session,
        caller: callerOfKey(owner),
        name: owner.name,
        loginSessionId: null
      }
      return found
    }
    const operator = yield* operators.findWithSession(owner.id, owner.loginSessionId, now)
    if (operator === undefined) return yield* new ConsoleSessionNotFound()
    const found: ConsoleSession = {
      ...session,
      caller: callerOfOperator(operator),
      name: operator.email,
      loginSessionId: owner.loginSessionId
    }
    return found
  })

  const load = Effect.fnUntraced(function* (secret: string | undefined) {
    const now = yield* DateTime.now
    return yield* current(yield* findStored(secret, now), now)
  })

  /** A guard that finds a session's API key. An operator's session ends with the login, whatever happens to the operator. */
  const keyOf = ({ caller: { by } }: ConsoleSession): Guard<{ readonly id: ApiKeyId }, ApiKeyId> | undefined =>
    by.type === "api_key" ? apiKeysRepo.existing(by.id) : undefined

  /** Stores a new session that expires after `latest` at the latest. Returns undefined if the owner was deleted meanwhile. */
  const store = Effect.fnUntraced(function* (
    { caller, name, loginSessionId }: Pick<ConsoleSession, "caller" | "name" | "loginSessionId">,
    latest: DateTime.Utc | null
  ) {
    const secret = randomSecret(entropy)
    const createdAt = yield* DateTime.now
    const most = DateTime.add(createdAt, { hours: CONSOLE_SESSION_HOURS })
    const expiresAt = latest === null ? most : DateTime.min(most, latest)
    const session: ConsoleSession = { id: sha256Text(secret), caller, name, loginSessionId, createdAt, expiresAt }
    const change = { writes: [repo.insertion(session)], events: [consoleEvent("created", session)] }
    const guard = keyOf(session)
    const created = yield* journal.writeIn(realmOf(session), [change], guard).pipe(
      Effect.provideService(Caller, caller),
      Effect.map((found) => guard === undefined || found !== undefined),
      Effect.catchTag("RealmNotFound", () => Effect.succeed(false))
    )
    return created ? { session, secret } : undefined
  })

  const storeForKey = (apiKey: ApiKey) =>
    store({ caller: callerOfKey(apiKey), name: apiKey.name, loginSessionId: null }, apiKey.expiresAt)

  const signIn = Effect.fn("ConsoleSessions.signIn")(function* (key: string, previousSecret: string | undefined) {
    const apiKey = yield* apiKeys.find(key)
    if (!(yield* allowsKeys)) return yield* new ConsoleKeysOff()
    const created = yield* storeForKey(apiKey)
    if (created === undefined) return yield* new UnknownKey()
    yield* end(previousSecret)
    return created
  })

  const makeLoginLink = Effect.gen(function* () {
    if (!(yield* allowsKeys)) return undefined
    const token = randomSecret(entropy)
    const expiresAt = DateTime.add(yield* DateTime.now, { minutes: LOGIN_LINK_MINUTES })
    return (yield* apiKeysRepo.setLoginLink(sha256Text(token), expiresAt)) ? token : undefined
  })

  const signInWithLink = Effect.fn("ConsoleSessions.signInWithLink")(function* (
    token: string,
    previousSecret: string | undefined
  ) {
    if (!SECRET_FORMAT.test(token)) return yield* new LoginLinkOver()
    if (!(yield* allowsKeys)) return yield* new ConsoleKeysOff()
    const apiKey = yield* apiKeysRepo.takeLoginLink(sha256Text(token), yield* DateTime.now)
    if (apiKey === undefined) return yield* new LoginLinkOver()
    const created = yield* storeForKey(apiKey)
    if (created === undefined) return yield* new LoginLinkOver()
    yield* end(previousSecret)
    return created
  })

  const signInOperator = Effect.fn("ConsoleSessions.signInOperator")(function* (
    loginSecret: string | undefined,
    previousSecret: string | undefined
  ) {
    const isSecret = loginSecret !== undefined && SECRET_FORMAT.test(loginSecret)
    const now = yield* DateTime.now
    const login = isSecret ? yield* operators.findLogin(sha256Text(loginSecret), now) : undefined
    if (login === undefined) return yield* new ConsoleSessionNotFound()
    const { operator, sessionId, expiresAt } = login
    const caller = callerOfOperator(operator)
    const created = yield* transaction.run(
      Effect.gen(function* () {
        if (operator.acceptedAt === null) yield* operators.accept(operator.id, now)
        return yield* store({ caller, name: operator.email, loginSessionId: sessionId }, expiresAt)
      })
    )
    if (created === undefined) return yield* new ConsoleSessionNotFound()
    yield* end(previousSecret)
    return created
  })

  const authenticate = Effect.fnUntraced(function* (secret: string | undefined) {
    const now = yield* DateTime.now
    const stored = yield* findStored(secret, now)
    const { caller } = yield* current(stored, now)
    const { owner } = stored
    if (owner.type === "api_key") {
      const usedAt = owner.lastUsedAt?.epochMilliseconds ?? Number.NEGATIVE_INFINITY
      if (now.epochMilliseconds - usedAt >= TOUCH_INTERVAL)
        yield* Effect.forkIn(apiKeysRepo.touch(owner.id, now), scope)
    }
    return caller
  })

  /** Ends sessions. Does nothing if their API key or its realm was deleted, because the sessions were deleted too. */
  const endSessions = (session: ConsoleSession, ids: ReadonlyArray<string>) => {
    const change = {
      writes: [repo.deletion(ids, session.caller.by)],
      events: ids.map(() => consoleEvent("deleted", session))
    }
    return journal.writeIn(realmOf(session), [change], keyOf(session)).pipe(
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
    const ids = yield* repo.idsOf(session.caller.by, yield* DateTime.now)
    const others = ids.filter((id) => id !== session.id)
    if (others.length > 0) yield* endSessions(session, others)
  })

  return ConsoleSessions.of({
    allowsKeys,
    hasOperators: operators.anyAccepted,
    signIn,
    makeLoginLink,
    signInWithLink,
    signInOperator,
    find: load,
    authenticate,
    end,
    endOthers
  })
})
