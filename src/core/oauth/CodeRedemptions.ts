import { Context, DateTime, Effect, Layer } from "effect"
import type { OAuthClient } from "#domain/clients/OAuthClient"
import { codeProblem } from "#domain/oauth/CodeRedemption"
import type { OAuthCode } from "#domain/oauth/OAuthCode"
import { type OAuthRefused, oauthRefused } from "#domain/oauth/OAuthProblem"
import { isOAuthSecret } from "#domain/oauth/OAuthToken"
import { isRedirectUri } from "#domain/oauth/RedirectUri"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { constantTimeEqual, sha256, sha256Text } from "#platform/Tokens"
import { OAuthCodesRepo } from "#store/oauth/OAuthCodesRepo"
import { GrantEnds } from "./GrantEnds.ts"
import type { IssuedTokens } from "./IssuedTokens.ts"
import { NewGrants } from "./NewGrants.ts"

/** An authenticated client's request with an authorization code. */
export interface CodeRequest {
  readonly client: OAuthClient
  readonly code: string
  readonly redirectUri: string | undefined
  readonly codeVerifier: string | undefined
  /** The thumbprint of the key that signed the request's DPoP proof, if any. */
  readonly jkt: string | null
  readonly resources: ReadonlyArray<string>
}

/** Returns whether the hash of a verifier equals the challenge (RFC 7636 §4.6). Takes constant time. */
const matchesChallenge = (verifier: string | undefined, challenge: string | null): boolean =>
  verifier !== undefined &&
  challenge !== null &&
  constantTimeEqual(Buffer.from(Buffer.from(sha256(verifier)).toString("base64url")), Buffer.from(challenge))

/** Exchanges authorization codes for tokens. Each code can be used once. */
export class CodeRedemptions extends Context.Service<
  CodeRedemptions,
  {
    /**
     * Redeems a code and records `oauth.grant.created`. Redeeming a code again ends its grant and records `oauth.code.reused`.
     */
    redeem(request: CodeRequest): Effect.Effect<IssuedTokens, OAuthRefused | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/CodeRedemptions") {
  static readonly layer = Layer.effect(
    CodeRedemptions,
    Effect.gen(function* () {
      const codes = yield* OAuthCodesRepo
      const ends = yield* GrantEnds
      const grants = yield* NewGrants

      const rejectReused = Effect.fnUntraced(function* (code: OAuthCode) {
        yield* ends.end({ ...code, id: code.grantId }, "oauth.code.reused")
        return yield* oauthRefused("code_reused")
      })

      /** Finds the code in a request, with its user, if the request may redeem it. */
      const find = Effect.fnUntraced(function* (request: CodeRequest, now: DateTime.Utc) {
        const realm = yield* CurrentRealm
        const { client, code: text, codeVerifier } = request
        if (!isOAuthSecret("code", text)) return yield* oauthRefused("code_unknown")
        const found = yield* codes.findWithUser(realm.id, sha256Text(text), now)
        if (found === undefined) return yield* oauthRefused("code_unknown")
        const { code } = found
        const presented = {
          ...request,
          clientId: client.id,
          matchesChallenge: matchesChallenge(codeVerifier, code.codeChallenge)
        }
        const problem = codeProblem(code, presented, now)
        // The redirect URI may have been removed from the client in the meantime.
        if (problem === undefined && !isRedirectUri(client, code.redirectUri)) {
          return yield* oauthRefused("grant_ended")
        }
        if (problem === "code_reused") return yield* rejectReused(code)
        if (problem !== undefined) return yield* oauthRefused(problem)
        return found
      })

      const redeem = Effect.fn("CodeRedemptions.redeem")(function* (request: CodeRequest) {
        const { client, jkt, resources } = request
        const now = yield* DateTime.now
        const { code, user, hasSession } = yield* find(request, now)
        // Some grants outlive the session, but no grant can start after it: a user who has logged out grants nothing new
        // (SEC-188).
        if (!hasSession) return yield* oauthRefused("grant_ended")
        const redemption = { client, user, jkt, nonce: code.nonce, resources, ...codes.consumption(code, now) }
        const issued = yield* grants.redeem({ ...redemption, allowed: { ...code, id: code.grantId } })
        if (issued !== undefined) return issued
        // A concurrent request has redeemed this code or ended the grant. `find` fails with the reason.
        yield* find(request, now)
        return yield* oauthRefused("grant_ended")
      })

      return CodeRedemptions.of({ redeem })
    })
  )
}
