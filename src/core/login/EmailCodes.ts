import { Context, type DateTime, Effect, Layer, Option } from "effect"
import { isSameEmail } from "#domain/Email"
import { identifyUser } from "#domain/EventActor"
import type { UserId } from "#domain/Ids"
import type { RateLimited } from "#domain/Limit"
import { type Blocked, type LoginOutcome, LoginsOff, TokenNotFound, WrongCode } from "#domain/Login"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { type Rejected, rejection } from "#domain/Rejected"
import { type User, UserInactive, UserNotFound } from "#domain/User"
import { Transaction } from "#platform/Transaction"
import type { OneTimeToken } from "#store/login/OneTimeTokensRepo"
import { AuthProvidersRepo } from "#store/realms/AuthProvidersRepo"
import { AccountsRepo } from "#store/users/AccountsRepo"
import { UsersRepo } from "#store/users/UsersRepo"
import { unknownUserFailure } from "../credentials/PasswordChecks.ts"
import { SecondFactors } from "../credentials/SecondFactors.ts"
import { Journal } from "../events/Journal.ts"
import { loginFailed } from "../events/NewEvent.ts"
import { AccountLocks } from "../limits/AccountLocks.ts"
import { type CountedAttempt, LoginAttempts } from "../limits/LoginAttempts.ts"
import { RateLimits } from "../limits/RateLimits.ts"
import { RejectedLogins } from "../limits/RejectedLogins.ts"
import type { TokenScope } from "../sessions/NewSessions.ts"
import { isForLogin, MailedCodes } from "../tokens/MailedCodes.ts"
import { OneTimeTokens } from "../tokens/OneTimeTokens.ts"
import { LoginCompletion, type PendingKind } from "./LoginCompletion.ts"
import { LoginMetrics } from "./LoginMetrics.ts"
import { MailboxProofs } from "./MailboxProofs.ts"

/** The options for an emailed code. */
export interface CodeMail {
  /** The pending login to complete with the code, or undefined if the code starts a login. */
  readonly pending?: { readonly kind: PendingKind; readonly token: string } | undefined
  /** The caller's token if it already exists, or `none` if the caller needs no token. */
  readonly callerToken?: string
}

/** A code entered by a user. */
export interface CodeEntry {
  readonly code: string
  readonly pendingKind: PendingKind
  readonly scope: TokenScope
}

/** A code entered by a visitor who has given an email or username. */
export interface NamedCodeEntry extends CodeEntry {
  readonly name: string
  /** Finds the user with that name. */
  readonly userId: Effect.Effect<UserId, UserNotFound, CurrentRealm>
  readonly token: string
}

/** An emailed link. `completes` is false if the code must be entered in a pending login instead. */
export interface CodeLinkPreview {
  readonly user: User
  readonly email: string
  readonly completes: boolean
}

type SendFailure = UserNotFound | UserInactive | Rejected | LoginsOff | TokenNotFound | RateLimited | RealmNotFound
type LoginFailure = LoginsOff | TokenNotFound | RealmNotFound

/** Logs users in with an emailed code or link (C52, C141, C142). */
export class EmailCodes extends Context.Service<
  EmailCodes,
  {
    /** Generates a token for a code before it is sent. */
    readonly generateToken: Effect.Effect<string>
    /** Whether the realm allows logins by emailed code. */
    readonly isEnabled: Effect.Effect<boolean, never, CurrentRealm>
    /**
     * Emails a code to an active human who has an email. Returns the token to use with the code. Records
     * `user.email_code.requested`.
     */
    send(userId: UserId, mail: CodeMail): Effect.Effect<string, SendFailure, CurrentRealm>
    /** Emails a code that completes a pending login. `token` is the token of that login. */
    sendForLogin(kind: PendingKind, token: string): Effect.Effect<void, SendFailure, CurrentRealm>
    /**
     * Logs in with a token and its code. A right code records the events of the mailbox proof, then `user.login.succeeded`, or
     * `user.login.initiated` if a second factor is required. A wrong code records `user.login.failed`. Each token allows five
     * attempts.
     */
    logIn(
      token: OneTimeToken,
      entry: CodeEntry
    ): Effect.Effect<LoginOutcome, LoginFailure | WrongCode | Blocked, CurrentRealm>
    /** Like `logIn`, for a visitor who has given a name. The attempt is counted even if no user has that name (SEC-128). */
    logInByName(entry: NamedCodeEntry): Effect.Effect<LoginOutcome, LoginFailure | WrongCode | Blocked, CurrentRealm>
    /** Returns the user and email of a link that can still be used. Changes nothing. */
    preview(link: string): Effect.Effect<CodeLinkPreview, LoginsOff | TokenNotFound, CurrentRealm>
    /** Logs in with a link. Records the same events as a successful `logIn`. */
    open(
      link: string,
      pendingKind: PendingKind,
      scope: TokenScope
    ): Effect.Effect<LoginOutcome, LoginFailure, CurrentRealm>
  }
>()("sallyport/core/EmailCodes") {
  static readonly layer = Layer.effect(
    EmailCodes,
    Effect.gen(function* () {
      const users = yield* UsersRepo
      const accounts = yield* AccountsRepo
      const providers = yield* AuthProvidersRepo
      const secondFactors = yield* SecondFactors
      const rateLimits = yield* RateLimits
      const attempts = yield* LoginAttempts
      const locks = yield* AccountLocks
      const tokens = yield* OneTimeTokens
      const mailedCodes = yield* MailedCodes
      const mailboxes = yield* MailboxProofs
      const completion = yield* LoginCompletion
      const journal = yield* Journal
      const refused = yield* RejectedLogins
      const transaction = yield* Transaction
      const countOutcome = (yield* LoginMetrics).count("email_code")

      const isEnabled = Effect.gen(function* () {
        const realm = yield* CurrentRealm
        return (yield* providers.stateOf(realm.id, "email_code"))?.state === "active"
      })

      const requireRealm = Effect.gen(function* () {
        const realm = yield* CurrentRealm
        return realm.state === "inactive" ? yield* new LoginsOff({ why: "realm_inactive" }) : realm
      })

      const inactive = new LoginsOff({ why: "provider_inactive" })

      const requireOffered = Effect.gen(function* () {
        const realm = yield* requireRealm
        return (yield* isEnabled) ? realm : yield* inactive
      })

      /** Returns the pending login if an emailed code can complete it, or null if there is none. */
      const pendingLogin = Effect.fnUntraced(function* (userId: UserId, { pending }: CodeMail) {
        if (pending === undefined) return null
        const login = yield* tokens.findLive([pending.kind], pending.token)
        if (login.userId !== userId) return yield* new TokenNotFound()
        const factors = yield* secondFactors.ofUser(userId)
        const acceptsCode = login.secret === null && !login.methods.includes("email")
        if (acceptsCode && factors.includes("email_code")) return login
        const provider = yield* providers.find(login.realmId, "email_code")
        if (!acceptsCode || provider?.providerType !== "email_code" || !provider.secondFactor) return yield* inactive
        return yield* rejection("email", "email_not_verified")
      })

      const send = Effect.fn("EmailCodes.send")(function* (userId: UserId, mail: CodeMail) {
        const realm = yield* requireOffered
        const login = yield* pendingLogin(userId, mail)
        return yield* transaction.run(
          Effect.gen(function* () {
            const user = yield* users.findForUpdate(realm.id, userId)
            if (user === undefined) return yield* new UserNotFound({ id: userId })
            if (user.userType === "api") return yield* rejection("email", "humans_only")
            if (user.state === "inactive") return yield* new UserInactive({ userId })
            if (user.email === null) return yield* rejection("email", "blank")
            yield* rateLimits.takeMail(user.email)
            const callerToken = mail.callerToken ?? tokens.generate("tec:")
            const issued = callerToken === "none" ? undefined : callerToken
            const tokenId = yield* mailedCodes.issue(user, { login, callerToken: issued })
            yield* journal.record([{ eventType: "user.email_code.requested", userId, tokenId }])
            return callerToken
          })
        )
      })

      const sendForLogin = Effect.fn("EmailCodes.sendForLogin")(function* (kind: PendingKind, token: string) {
        yield* requireRealm
        const { userId } = yield* tokens.findLive([kind], token)
        yield* send(userId, { pending: { kind, token }, callerToken: "none" })
      })

      /** Applies the mailbox proof and continues the login. Call it inside the transaction that locks the user's row. */
      const continueLogin = Effect.fnUntraced(function* (before: User, pendingKind: PendingKind, at?: DateTime.Utc) {
        yield* tokens.revoke(before, ["email_code"])
        yield* identifyUser(before.id)
        const { user, isNew, hasRevokedAccess, changed, endEvents } = yield* mailboxes.apply("mailed_code", before)
        yield* journal.record([
          ...(hasRevokedAccess ? [{ eventType: "user.updated" as const, userId: user.id, changed }] : []),
          ...(isNew ? [{ eventType: "user.email.verified" as const, userId: user.id }] : []),
          ...endEvents
        ])
        const hasSecondFactor = (yield* accounts.find(user.realmId, user.id))?.secondFactor === true
        const shown = { methods: ["email" as const], hasSecondFactor, pendingKind }
        return yield* completion.takeNextStep(user, at === undefined ? shown : { ...shown, at })
      })

      /** Returns whether a token can log in the user, who must be active and still have the token's email. */
      const isUsable = (token: OneTimeToken, user: User | undefined): user is User =>
        user?.state === "active" && user.email !== null && isSameEmail(user.email, token.email)

      /** Counts an attempt with a token. Returns false if no attempts are left. */
      const countAttempt = (token: OneTimeToken) =>
        Effect.match(tokens.countCode(token), { onSuccess: () => true, onFailure: () => false })

      const notFound = { UserInactive: () => new TokenNotFound(), UserNotFound: () => new TokenNotFound() }

      /** Logs in a user whose attempt was counted. `token` is undefined if no token of the user waits for a code. */
      const redeem = Effect.fnUntraced(function* (
        { realmId, id: userId }: User,
        token: OneTimeToken | undefined,
        { code, pendingKind, scope }: CodeEntry,
        attempt: CountedAttempt
      ) {
        const mayTry = token === undefined ? false : yield* locks.transact(userId, countAttempt(token))
        const granted = yield* locks.transact(
          userId,
          Effect.gen(function* () {
            const user = yield* users.findForUpdate(realmId, userId)
            const mailed = token !== undefined && mayTry ? yield* mailedCodes.find(token, code) : undefined
            if (token !== undefined && mailed !== undefined && isUsable(token, user)) {
              yield* tokens.consume(mailed)
              yield* tokens.consume(token)
              yield* attempt.onSuccess
              return yield* continueLogin(user, pendingKind)
            }
            const blocked = attempt.isLast ? [{ eventType: "user.blocked" as const, userId }] : []
            yield* journal.record([loginFailed(userId, mayTry ? "wrong_code" : "expired"), ...blocked])
            return undefined
          })
        )
        if (granted !== undefined) return yield* completion.complete(granted, scope)
        return yield* mayTry ? new WrongCode() : new TokenNotFound()
      })

      const logIn = Effect.fn("EmailCodes.logIn")(
        function* (token: OneTimeToken, entry: CodeEntry) {
          const realm = yield* refused.countMethodOff(requireOffered, Effect.succeed(token.userId))
          const user = yield* users.find(realm.id, token.userId)
          if (!isUsable(token, user)) return yield* new TokenNotFound()
          return yield* redeem(user, token, entry, yield* attempts.count(user, "email_code"))
        },
        (login) => Effect.catchTags(login, notFound)
      )

      const logInByName = Effect.fn("EmailCodes.logInByName")(
        function* ({ name, userId, token: text, ...entry }: NamedCodeEntry) {
          const realm = yield* refused.countMethodOff(requireOffered, userId)
          const id = yield* Effect.catchTag(userId, "UserNotFound", () => Effect.succeed(undefined))
          const user = id === undefined ? undefined : yield* users.find(realm.id, id)
          if (user?.state !== "active" || user.userType !== "human" || user.email === null) {
            yield* journal.write([unknownUserFailure(yield* attempts.countUnknown(name, "email_code"))])
            return yield* new TokenNotFound()
          }
          const attempt = yield* attempts.count(user, "email_code")
          const token = Option.getOrUndefined(yield* Effect.option(tokens.findLive(["tec:"], text)))
          return yield* redeem(user, token?.userId === user.id && isForLogin(token) ? token : undefined, entry, attempt)
        },
        (login) => Effect.catchTags(login, notFound)
      )

      /** Finds the token of a link. A token that was returned to a caller can't be used as a link. */
      const findToken = (link: string) =>
        Effect.flatMap(tokens.findLive(["tec:"], link), (token) =>
          token.mailed ? Effect.succeed(token) : Effect.fail(new TokenNotFound())
        )
      const findLink = (link: string) => Effect.andThen(requireOffered, findToken(link))

      const preview = Effect.fn("EmailCodes.preview")(function* (link: string) {
        const token = yield* findLink(link)
        const user = yield* users.find(token.realmId, token.userId)
        if (!isUsable(token, user)) return yield* new TokenNotFound()
        return { user, email: token.email ?? "", completes: token.loginToken === null }
      })

      const open = Effect.fn("EmailCodes.open")(
        function* (link: string, pendingKind: PendingKind, scope: TokenScope) {
          const owner = findToken(link).pipe(Effect.map(({ userId }) => userId))
          const token = yield* refused.countMethodOff(findLink(link), owner)
          if (token.loginToken !== null) return yield* new TokenNotFound()
          const granted = yield* locks.transact(
            token.userId,
            Effect.gen(function* () {
              const user = yield* users.findForUpdate(token.realmId, token.userId)
              if (!isUsable(token, user)) return yield* new TokenNotFound()
              yield* tokens.consume(token)
              // The login is dated to when the link was sent. An app that requires a fresh login rejects earlier links (C187).
              return yield* continueLogin(user, pendingKind, token.createdAt)
            })
          )
          return yield* completion.complete(granted, scope)
        },
        (login) => Effect.catchTags(login, { UserInactive: notFound.UserInactive })
      )

      return EmailCodes.of({
        generateToken: Effect.sync(() => tokens.generate("tec:")),
        isEnabled,
        send,
        sendForLogin,
        logIn: (token, entry) => countOutcome(logIn(token, entry)),
        logInByName: (entry) => countOutcome(logInByName(entry)),
        preview,
        open: (link, pendingKind, scope) => countOutcome(open(link, pendingKind, scope))
      })
    })
  )
}
