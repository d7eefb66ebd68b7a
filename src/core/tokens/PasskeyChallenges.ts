import { Context, DateTime, Effect, Layer } from "effect"
import { TokenNotFound } from "#domain/Login"
import { isToken } from "#domain/OneTimeToken"
import { type Ceremony, PASSKEY_MINUTES, type PasskeyChallenge } from "#domain/Passkey"
import { CurrentRealm } from "#domain/Realm"
import { Entropy } from "#platform/Entropy"
import { randomSecret, sha256, sha256Text } from "#platform/Tokens"
import { PasskeyChallengesRepo } from "#store/login/PasskeyChallengesRepo"

/** A new challenge. `token` must be presented with the response. */
export interface IssuedChallenge extends PasskeyChallenge {
  readonly token: string
}

/** Derives the challenge from a token. The challenge reveals neither the token nor the ID under which the token is stored. */
const challengeOf = (token: string): string => Buffer.from(sha256(`passkey challenge ${token}`)).toString("base64url")

/** Manages passkey challenges. Each is bound to a realm, an origin, a ceremony, and optionally a user (C131). */
export class PasskeyChallenges extends Context.Service<
  PasskeyChallenges,
  {
    issue(
      bound: Pick<PasskeyChallenge, "ceremony" | "userId" | "origin" | "rpId">
    ): Effect.Effect<IssuedChallenge, never, CurrentRealm>
    /** Finds a challenge without using it up. Call `take` before accepting a response. */
    find(ceremony: Ceremony, token: string): Effect.Effect<PasskeyChallenge, TokenNotFound, CurrentRealm>
    /**
     * Uses up a challenge. Only the first caller gets it, so no response can be accepted twice. Don't call this inside a
     * transaction that may roll back.
     */
    take(ceremony: Ceremony, token: string): Effect.Effect<PasskeyChallenge, TokenNotFound, CurrentRealm>
  }
>()("sallyport/core/PasskeyChallenges") {
  static readonly layer = Layer.effect(
    PasskeyChallenges,
    Effect.gen(function* () {
      const entropy = yield* Entropy
      const repo = yield* PasskeyChallengesRepo

      const issue: PasskeyChallenges["Service"]["issue"] = Effect.fnUntraced(function* (bound) {
        const { id: realmId } = yield* CurrentRealm
        const token = `tpk:${randomSecret(entropy)}`
        const createdAt = yield* DateTime.now
        const expiresAt = DateTime.add(createdAt, { minutes: PASSKEY_MINUTES })
        yield* repo.insert({ ...bound, realmId, id: sha256Text(token), createdAt, expiresAt })
        return { ...bound, realmId, token, challenge: challengeOf(token) }
      })

      const findWith = (get: PasskeyChallengesRepo["Service"]["find"]) =>
        Effect.fnUntraced(function* (ceremony: Ceremony, token: string) {
          const { id: realmId } = yield* CurrentRealm
          if (!isToken("tpk:", token)) return yield* new TokenNotFound()
          const challenge = yield* get(realmId, sha256Text(token), ceremony, yield* DateTime.now)
          return challenge === undefined ? yield* new TokenNotFound() : { ...challenge, challenge: challengeOf(token) }
        })

      return PasskeyChallenges.of({ issue, find: findWith(repo.find), take: findWith(repo.take) })
    })
  )
}
