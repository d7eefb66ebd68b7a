import { Context, DateTime, Effect, Layer } from "effect"
import { type DeviceAuthorization, pollAnswer } from "#domain/DeviceCode"
import type { GrantId, UserId } from "#domain/Ids"
import { isConfidential, type OAuthClient } from "#domain/OAuthClient"
import type { OAuthGrant } from "#domain/OAuthGrant"
import { type OAuthRefused, oauthRefused } from "#domain/OAuthProblem"
import { isOAuthSecret } from "#domain/OAuthToken"
import { accessTokenSeconds } from "#domain/OAuthTokenClaims"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { Entropy } from "#platform/Entropy"
import { IdGenerator } from "#platform/IdGenerator"
import { sha256Text } from "#platform/Tokens"
import { OAuthDevicesRepo } from "#store/OAuthDevicesRepo"
import { OAuthGrantsRepo } from "#store/OAuthGrantsRepo"
import { OAuthRefreshTokensRepo } from "#store/OAuthRefreshTokensRepo"
import { UsersRepo } from "#store/UsersRepo"
import { Journal } from "../events/Journal.ts"
import { Issuer } from "../keys/Issuer.ts"
import { grantEvent } from "./GrantEnds.ts"
import { type IssuedTokens, reachOf } from "./IssuedTokens.ts"
import { firstRefreshToken } from "./RefreshTokens.ts"
import { TokenIssuer } from "./TokenIssuer.ts"

/** A question of a device, whose client is authenticated, for its tokens. */
export interface DeviceQuestion {
  readonly client: OAuthClient
  readonly deviceCode: string
  /** The thumbprint of the key of the request's DPoP proof. */
  readonly jkt: string | null
  readonly resources: ReadonlyArray<string>
}

/** A device that a user has let in. */
type Approved = DeviceAuthorization & { readonly userId: UserId }

const isApproved = (device: DeviceAuthorization): device is Approved => device.userId !== null

/** The grant of a device. It belongs to no session of a browser (C186). */
const grantOf = (id: GrantId, device: Approved, { client, jkt }: DeviceQuestion, now: DateTime.Utc): OAuthGrant => {
  const lasts = client.grantTypes.includes("refresh_token")
    ? { days: client.refreshTokenDays }
    : { seconds: accessTokenSeconds(client) }
  return {
    id,
    realmId: device.realmId,
    clientId: device.clientId,
    userId: device.userId,
    sid: null,
    scopes: device.scopes,
    resources: device.resources,
    orgId: null,
    claims: null,
    jkt: isConfidential(client) ? null : jkt,
    authentication: device.authentication,
    createdAt: now,
    lastUsedAt: now,
    expiresAt: DateTime.add(now, lasts),
    endedAt: null
  }
}

/** Gives devices their tokens, once their users have let them in (RFC 8628 §3.4). */
export class DeviceGrants extends Context.Service<
  DeviceGrants,
  {
    /** Answers a device: why it has no tokens yet, or never, or its tokens, once. Then it records `oauth.grant.created`. */
    redeem(question: DeviceQuestion): Effect.Effect<IssuedTokens, OAuthRefused | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/DeviceGrants") {
  static readonly layer = Layer.effect(
    DeviceGrants,
    Effect.gen(function* () {
      const devices = yield* OAuthDevicesRepo
      const entropy = yield* Entropy
      const grants = yield* OAuthGrantsRepo
      const ids = yield* IdGenerator
      const issuer = yield* Issuer
      const journal = yield* Journal
      const refreshTokens = yield* OAuthRefreshTokensRepo
      const tokens = yield* TokenIssuer
      const users = yield* UsersRepo

      /** The device of a question, if its user has let it in. */
      const find = Effect.fnUntraced(function* ({ client, deviceCode }: DeviceQuestion, now: DateTime.Utc) {
        const { id: realmId } = yield* CurrentRealm
        const device = isOAuthSecret("deviceCode", deviceCode)
          ? yield* devices.find(realmId, client.id, sha256Text(deviceCode))
          : undefined
        if (device === undefined) return yield* oauthRefused("device_code_unknown")
        const { reason, pollSeconds } = pollAnswer(device, now)
        if (device.state === "pending") yield* devices.polled(realmId, device.id, pollSeconds, now)
        if (reason !== undefined) return yield* oauthRefused(reason)
        return isApproved(device) ? device : yield* oauthRefused("device_code_unknown")
      })

      const redeem = Effect.fn("DeviceGrants.redeem")(function* (question: DeviceQuestion) {
        const realm = yield* CurrentRealm
        const { client, jkt, resources } = question
        const now = yield* DateTime.now
        const device = yield* find(question, now)
        const user = yield* users.find(realm.id, device.userId)
        if (user?.state !== "active") return yield* oauthRefused("grant_ended")
        const grant = grantOf(yield* ids.make("grant"), device, question, now)
        const reach = reachOf(issuer.of(realm.id), grant, { scope: undefined, resources })
        if (typeof reach === "string") return yield* oauthRefused(reach)
        const refresh = client.grantTypes.includes("refresh_token")
          ? firstRefreshToken(entropy, grant, client, now)
          : undefined
        const { guard, write } = devices.redeeming(device, now)
        const stored = refresh === undefined ? [] : [refreshTokens.insertion(refresh.stored)]
        const first = yield* journal.writeIf(guard, [
          { writes: [write, grants.insertion(grant), ...stored], events: [grantEvent("oauth.grant.created", grant)] }
        ])
        if (first === undefined) return yield* oauthRefused("device_code_used")
        return yield* tokens.issue({
          ...reach,
          client,
          owner: { grant, user },
          jkt,
          nonce: null,
          refreshToken: refresh?.token ?? null
        })
      })

      return DeviceGrants.of({ redeem })
    })
  )
}
