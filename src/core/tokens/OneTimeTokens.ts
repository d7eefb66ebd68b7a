import { Context, DateTime, Effect, Layer } from "effect"
import type { RealmId } from "#domain/Ids"
import { TokenNotFound } from "#domain/Login"
import { isToken, type Purpose, type TokenKind, tokenKinds } from "#domain/OneTimeToken"
import { CurrentRealm } from "#domain/Realm"
import type { User } from "#domain/User"
import { Entropy } from "#platform/Entropy"
import type { Place } from "#platform/SecretPlaces"
import { Secrets } from "#platform/Secrets"
import { secretText, sha256Text } from "#platform/Tokens"
import { type OneTimeToken, OneTimeTokensRepo } from "#store/OneTimeTokensRepo"

/** A token that was just made: as its user gets it, and its id, by which an event can name it. */
export interface IssuedToken {
  readonly token: string
  readonly id: string
}

const place = (realm: RealmId, row: string): Place => ({ table: "one_time_tokens", column: "secret", row, realm })

/** Tokens that can be used once, for one purpose, by one user (decision 25, SEC-20, SEC-21). */
export class OneTimeTokens extends Context.Service<
  OneTimeTokens,
  {
    /**
     * Issues a token to a user. Those that may be mailed are kept, sealed, to be shown again until they are used. `to`:
     * whether it goes by mail alone, or a caller gets it, who may give it to anybody: then it proves no mailbox.
     */
    issue(kind: TokenKind, user: User, to: "mail" | "caller"): Effect.Effect<IssuedToken>
    /** The stored token of one that was presented, of one of these kinds; it may have expired. */
    find(kinds: ReadonlyArray<TokenKind>, token: string): Effect.Effect<OneTimeToken, TokenNotFound, CurrentRealm>
    /** The same, unexpired. */
    findLive(kinds: ReadonlyArray<TokenKind>, token: string): Effect.Effect<OneTimeToken, TokenNotFound, CurrentRealm>
    /** Uses a token up, inside the transaction of what it allows. Fails for everyone but one. */
    consume(token: OneTimeToken): Effect.Effect<void, TokenNotFound>
    /** Counts a code tried with a pending login; fails when too many were. */
    countCode(token: OneTimeToken): Effect.Effect<void, TokenNotFound>
    /** Voids a user's tokens of these purposes. */
    voidOf(user: User, purposes: ReadonlyArray<Purpose>): Effect.Effect<void>
    /** The text of a token that was kept, by its id; null when it can't be opened. */
    open(realmId: RealmId, id: string, sealed: string): Effect.Effect<string | null>
  }
>()("sallyport/core/OneTimeTokens") {
  static readonly layer = Layer.effect(
    OneTimeTokens,
    Effect.gen(function* () {
      const entropy = yield* Entropy
      const secrets = yield* Secrets
      const repo = yield* OneTimeTokensRepo

      const issue = Effect.fnUntraced(function* (kind: TokenKind, user: User, to: "mail" | "caller") {
        const { purpose, minutes } = tokenKinds[kind]
        const token = kind + secretText(entropy)
        const id = sha256Text(token)
        const createdAt = yield* DateTime.now
        yield* repo.deleteExpired(user.realmId, user.id, createdAt)
        yield* repo.insert({
          id,
          realmId: user.realmId,
          purpose,
          userId: user.id,
          email: purpose === "email_verification" ? user.email : purpose === "email_change" ? user.emailPending : null,
          mailed: to === "mail",
          secret: purpose === "login" ? null : yield* secrets.seal(place(user.realmId, id), token),
          createdAt,
          expiresAt: DateTime.add(createdAt, { minutes })
        })
        return { token, id }
      })

      const find = Effect.fnUntraced(function* (kinds: ReadonlyArray<TokenKind>, token: string) {
        const realm = yield* CurrentRealm
        const kind = kinds.find((known) => isToken(known, token))
        if (kind === undefined) return yield* new TokenNotFound()
        const found = yield* repo.find(realm.id, sha256Text(token), tokenKinds[kind].purpose)
        return found ?? (yield* new TokenNotFound())
      })

      const findLive = Effect.fnUntraced(function* (kinds: ReadonlyArray<TokenKind>, token: string) {
        const found = yield* find(kinds, token)
        const now = yield* DateTime.now
        return DateTime.isGreaterThan(found.expiresAt, now) ? found : yield* new TokenNotFound()
      })

      const orNotFound = (done: boolean) => (done ? Effect.void : Effect.fail(new TokenNotFound()))

      return OneTimeTokens.of({
        issue,
        find,
        findLive,
        consume: (token) =>
          Effect.flatMap(DateTime.now, (now) =>
            Effect.flatMap(repo.consume(token.realmId, token.id, token.purpose, now), orNotFound)
          ),
        countCode: (token) =>
          Effect.flatMap(DateTime.now, (now) =>
            Effect.flatMap(repo.countCode(token.realmId, token.id, now), orNotFound)
          ),
        voidOf: (user, purposes) => repo.deleteOfUser(user.realmId, user.id, purposes),
        open: (realmId, id, sealed) => secrets.open(place(realmId, id), sealed)
      })
    })
  )
}
