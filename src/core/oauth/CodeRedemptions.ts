import { Context, DateTime, Effect, Layer } from "effect"
import { codeProblem } from "#domain/CodeRedemption"
import { grantProblem } from "#domain/GrantLife"
import { isConfidential, type OAuthClient } from "#domain/OAuthClient"
import type { OAuthCode } from "#domain/OAuthCode"
import type { OAuthGrant } from "#domain/OAuthGrant"
import { type OAuthRefused, oauthRefused } from "#domain/OAuthProblem"
import { isOAuthSecret } from "#domain/OAuthToken"
import { accessTokenSeconds } from "#domain/OAuthTokenClaims"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { Entropy } from "#platform/Entropy"
import { constantTimeEqual, sha256, sha256Text } from "#platform/Tokens"
import { OAuthCodesRepo } from "#store/OAuthCodesRepo"
import { OAuthGrantsRepo } from "#store/OAuthGrantsRepo"
import { OAuthRefreshTokensRepo } from "#store/OAuthRefreshTokensRepo"
import { Journal } from "../events/Journal.ts"
import { Issuer } from "../keys/Issuer.ts"
import { GrantEnds, grantEvent } from "./GrantEnds.ts"
import { type IssuedTokens, reachOf } from "./IssuedTokens.ts"
import { firstRefreshToken } from "./RefreshTokens.ts"
import { TokenIssuer } from "./TokenIssuer.ts"

/** A request with an authorization code, of a client that is authenticated. */
export interface CodeRequest {
  readonly client: OAuthClient
  readonly code: string
  readonly redirectUri: string | undefined
  readonly codeVerifier: string | undefined
  /** The thumbprint of the key of the request's DPoP proof. */
  readonly jkt: string | null
  readonly resources: ReadonlyArray<string>
}

/** Whether a verifier, hashed, is a challenge (RFC 7636 §4.6). Takes as long whatever they are. */
const matchesChallenge = (verifier: string | undefined, challenge: string | null): boolean =>
  verifier !== undefined &&
  challenge !== null &&
  constantTimeEqual(Buffer.from(Buffer.from(sha256(verifier)).toString("base64url")), Buffer.from(challenge))

/** The grant that the redemption of a code makes. */
const grantOf = (code: OAuthCode, { client, jkt }: CodeRequest, now: DateTime.Utc): OAuthGrant => {
  const lasts = client.grantTypes.includes("refresh_token")
    ? { days: client.refreshTokenDays }
    : { seconds: accessTokenSeconds(client) }
  return {
    id: code.grantId,
    realmId: code.realmId,
    clientId: code.clientId,
    userId: code.userId,
    sid: code.sid,
    scopes: code.scopes,
    resources: code.resources,
    orgId: code.orgId,
    claims: code.claims,
    // A client that can't keep a secret is known by its key alone (RFC 9449 §5).
    jkt: isConfidential(client) ? null : jkt,
    authentication: code.authentication,
    createdAt: now,
    lastUsedAt: now,
    expiresAt: DateTime.add(now, lasts),
    endedAt: null
  }
}

/** Exchanges authorization codes for tokens. Each works once. */
export class CodeRedemptions extends Context.Service<
  CodeRedemptions,
  {
    /**
     * Redeems a code, and records `oauth.grant.created`. A second redemption ends what the first has led to
     * (`oauth.code.reused`).
     */
    redeem(request: CodeRequest): Effect.Effect<IssuedTokens, OAuthRefused | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/CodeRedemptions") {
  static readonly layer = Layer.effect(
    CodeRedemptions,
    Effect.gen(function* () {
      const codes = yield* OAuthCodesRepo
      const ends = yield* GrantEnds
      const entropy = yield* Entropy
      const grants = yield* OAuthGrantsRepo
      const issuer = yield* Issuer
      const journal = yield* Journal
      const refreshTokens = yield* OAuthRefreshTokensRepo
      const tokens = yield* TokenIssuer

      const refuseReused = Effect.fnUntraced(function* (code: OAuthCode) {
        yield* ends.end({ ...code, id: code.grantId }, "oauth.code.reused")
        return yield* oauthRefused("code_reused")
      })

      /** The code of a request, with its user, if it may be redeemed. */
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
        if (problem === "code_reused") return yield* refuseReused(code)
        if (problem !== undefined) return yield* oauthRefused(problem)
        return found
      })

      const redeem = Effect.fn("CodeRedemptions.redeem")(function* (request: CodeRequest) {
        const realm = yield* CurrentRealm
        const { client, jkt, resources } = request
        const now = yield* DateTime.now
        const { code, user, hasSession } = yield* find(request, now)
        const grant = grantOf(code, request, now)
        const ended = grantProblem({ realm, client, grant, user, hasSession }, now)
        if (ended !== undefined) return yield* oauthRefused(ended)
        // What is for the time after the session begins in its course: who was logged out gets nothing new (SEC-188).
        if (!hasSession) return yield* oauthRefused("grant_ended")
        const reach = reachOf(issuer.of(realm.id), grant, { scope: undefined, resources })
        if (typeof reach === "string") return yield* oauthRefused(reach)

        const refresh = client.grantTypes.includes("refresh_token")
          ? firstRefreshToken(entropy, grant, client, now)
          : undefined
        const { guard, write } = codes.consumption(code, now)
        const stored = refresh === undefined ? [] : [refreshTokens.insertion(refresh.stored)]
        const isFirst = yield* journal.writeIf(guard, [
          {
            writes: [write, grants.insertion(grant), ...stored],
            events: [grantEvent("oauth.grant.created", grant)]
          }
        ])
        if (isFirst === undefined) return yield* refuseReused(code)
        return yield* tokens.issue({
          ...reach,
          client,
          owner: { grant, user },
          jkt,
          nonce: code.nonce,
          refreshToken: refresh?.token ?? null
        })
      })

      return CodeRedemptions.of({ redeem })
    })
  )
}
