import { Context, DateTime, Effect, Layer } from "effect"
import type { AuthenticationMethod } from "#domain/Authentication"
import type { ExternalType } from "#domain/AuthProvider"
import type { RealmId, UserId } from "#domain/Ids"
import { TokenNotFound } from "#domain/Login"
import { isToken, type OneTimeTokenKind, oneTimeTokenKinds, type Purpose } from "#domain/OneTimeToken"
import { CurrentRealm } from "#domain/Realm"
import type { User } from "#domain/User"
import { Entropy } from "#platform/Entropy"
import type { SecretLocation } from "#platform/SecretLocation"
import { Secrets } from "#platform/Secrets"
import { randomSecret, sha256Text } from "#platform/Tokens"
import { type OneTimeToken, OneTimeTokensRepo } from "#store/login/OneTimeTokensRepo"

/** A new token. Events refer to it by its ID. */
export interface IssuedToken {
  readonly token: string
  readonly id: string
}

/** The state of a login that is completed with a code. */
export interface PendingLogin {
  /** The authentication methods completed so far. */
  readonly methods: ReadonlyArray<AuthenticationMethod>
  /** The type of the external provider, if one was used. */
  readonly provider?: ExternalType
  /** The secret of the authenticator app that is set up during the login. */
  readonly totpSecret?: string
  /** The browser login to which a second factor is added, and the time of that login. */
  readonly addsFactorTo?: { readonly browserId: string; readonly at: DateTime.Utc }
}

const locationOf = (realm: RealmId, row: string): SecretLocation => ({
  table: "one_time_tokens",
  column: "secret",
  row,
  realm
})

/** The tokens to which a token is bound, and the token's text if it was already generated. */
export interface TokenBinding {
  readonly text?: string
  readonly mailToken?: string | null
  readonly loginToken?: string | null
}

/** The email that is proved by using a token. */
const provedEmail = (purpose: Purpose, { email, emailPending }: User): string | null => {
  if (purpose === "email_change") return emailPending
  return purpose === "login" ? null : email
}

/** Manages single-use tokens. Each is for one user and one purpose (C25, SEC-20, SEC-21). */
export class OneTimeTokens extends Context.Service<
  OneTimeTokens,
  {
    /**
     * Issues a token. Tokens that may be emailed are stored encrypted, so that events can show them until they are used. `to`
     * is the receiver of the token. Only a token that is emailed, and not returned to a caller, proves the mailbox. `login` is
     * the state to store with the token of a pending login.
     */
    issue(
      kind: OneTimeTokenKind,
      user: User,
      to: "mail" | "caller",
      login?: PendingLogin,
      binding?: TokenBinding
    ): Effect.Effect<IssuedToken>
    /** Generates the text of a token that will be issued later. */
    generate(kind: OneTimeTokenKind): string
    /** Finds the stored token for a presented token of one of these kinds, even if it has expired. */
    find(
      kinds: ReadonlyArray<OneTimeTokenKind>,
      token: string
    ): Effect.Effect<OneTimeToken, TokenNotFound, CurrentRealm>
    /** Like `find`, but doesn't find tokens that have expired. */
    findLive(
      kinds: ReadonlyArray<OneTimeTokenKind>,
      token: string
    ): Effect.Effect<OneTimeToken, TokenNotFound, CurrentRealm>
    /** Returns the user of a used or expired token. Only the users of password reset tokens are stored, for a day (C265). */
    findFormerOwner(kind: OneTimeTokenKind, token: string): Effect.Effect<UserId | undefined, never, CurrentRealm>
    /** Finds the pending login that an emailed code completes, if it has not expired. */
    findLogin(token: OneTimeToken): Effect.Effect<OneTimeToken, TokenNotFound>
    /**
     * Uses up a token. Call it inside the transaction of the change that the token authorizes. Only the first caller succeeds.
     */
    consume(token: OneTimeToken): Effect.Effect<void, TokenNotFound>
    /** Counts an attempt to enter a code for a pending login. Fails after too many attempts. */
    countCode(token: OneTimeToken): Effect.Effect<void, TokenNotFound>
    /** Revokes a user's tokens for these purposes. */
    revoke(user: User, purposes: ReadonlyArray<Purpose>): Effect.Effect<void>
    /** Decrypts a stored token. Returns null if it can't be decrypted. */
    decrypt(realmId: RealmId, id: string, ciphertext: string): Effect.Effect<string | null>
  }
>()("sallyport/core/OneTimeTokens") {
  static readonly layer = Layer.effect(
    OneTimeTokens,
    Effect.gen(function* () {
      const entropy = yield* Entropy
      const secrets = yield* Secrets
      const repo = yield* OneTimeTokensRepo

      const generate = (kind: OneTimeTokenKind) => kind + randomSecret(entropy)

      const issue = Effect.fnUntraced(function* (
        kind: OneTimeTokenKind,
        user: User,
        to: "mail" | "caller",
        { methods, provider, totpSecret, addsFactorTo }: PendingLogin = { methods: [] },
        { text, mailToken = null, loginToken = null }: TokenBinding = {}
      ) {
        const { purpose, minutes } = oneTimeTokenKinds[kind]
        const token = text ?? generate(kind)
        const id = sha256Text(token)
        // The token returned to the caller of an emailed code is never shown again, so it isn't stored.
        const shownAgain = mailToken === null ? token : undefined
        const secret = purpose === "login" ? totpSecret : shownAgain
        const createdAt = yield* DateTime.now
        yield* repo.deleteExpired(user.realmId, user.id, createdAt)
        yield* repo.insert({
          id,
          realmId: user.realmId,
          purpose,
          userId: user.id,
          email: provedEmail(purpose, user),
          mailed: to === "mail",
          methods,
          provider: provider ?? null,
          mailToken,
          loginToken,
          authenticatedAt: addsFactorTo?.at ?? null,
          browserId: addsFactorTo?.browserId ?? null,
          secret: secret === undefined ? null : yield* secrets.encrypt(locationOf(user.realmId, id), secret),
          createdAt,
          expiresAt: DateTime.add(createdAt, { minutes })
        })
        return { token, id }
      })

      const find = Effect.fnUntraced(function* (kinds: ReadonlyArray<OneTimeTokenKind>, token: string) {
        const realm = yield* CurrentRealm
        const kind = kinds.find((known) => isToken(known, token))
        if (kind === undefined) return yield* new TokenNotFound()
        const found = yield* repo.find(realm.id, sha256Text(token), oneTimeTokenKinds[kind].purpose)
        return found ?? (yield* new TokenNotFound())
      })

      const findLive = Effect.fnUntraced(function* (kinds: ReadonlyArray<OneTimeTokenKind>, token: string) {
        const found = yield* find(kinds, token)
        const now = yield* DateTime.now
        return DateTime.isGreaterThan(found.expiresAt, now) ? found : yield* new TokenNotFound()
      })

      const findFormerOwner = Effect.fnUntraced(function* (kind: OneTimeTokenKind, token: string) {
        const realm = yield* CurrentRealm
        if (!isToken(kind, token)) return undefined
        return yield* repo.findOwnerOfInvalid(
          realm.id,
          sha256Text(token),
          oneTimeTokenKinds[kind].purpose,
          yield* DateTime.now
        )
      })

      const findLogin = Effect.fnUntraced(function* ({ realmId, loginToken }: OneTimeToken) {
        const found = loginToken === null ? undefined : yield* repo.find(realmId, loginToken, "login")
        const isLive = found !== undefined && DateTime.isGreaterThan(found.expiresAt, yield* DateTime.now)
        return isLive ? found : yield* new TokenNotFound()
      })

      const orNotFound = (done: boolean) => (done ? Effect.void : Effect.fail(new TokenNotFound()))

      return OneTimeTokens.of({
        generate,
        issue,
        find,
        findLive,
        findLogin,
        findFormerOwner,
        consume: ({ realmId, id, purpose }) =>
          Effect.flatMap(DateTime.now, (now) => {
            const use = purpose === "password_reset" ? repo.spend : repo.consume
            return Effect.flatMap(use(realmId, id, purpose, now), orNotFound)
          }),
        countCode: (token) =>
          Effect.flatMap(DateTime.now, (now) => Effect.flatMap(repo.countCode(token, now), orNotFound)),
        revoke: (user, purposes) => repo.deleteOfUser(user.realmId, user.id, purposes),
        decrypt: (realmId, id, ciphertext) => secrets.decrypt(locationOf(realmId, id), ciphertext)
      })
    })
  )
}
