import { Context, DateTime, Effect, Layer } from "effect"
import type { OAuthClient } from "#domain/clients/OAuthClient"
import type { UserId } from "#domain/Ids"
import { type DeviceAuthorization, pollResponse } from "#domain/oauth/DeviceCode"
import { type OAuthRefused, oauthRefused } from "#domain/oauth/OAuthProblem"
import { isOAuthSecret } from "#domain/oauth/OAuthToken"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { IdGenerator } from "#platform/IdGenerator"
import { sha256Text } from "#platform/Tokens"
import { OAuthDevicesRepo } from "#store/oauth/OAuthDevicesRepo"
import { UsersRepo } from "#store/users/UsersRepo"
import type { IssuedTokens } from "./IssuedTokens.ts"
import { NewGrants } from "./NewGrants.ts"

/** A device's request for its tokens. The client is already authenticated. */
export interface DeviceTokenRequest {
  readonly client: OAuthClient
  readonly deviceCode: string
  /** The thumbprint of the key that signed the request's DPoP proof, if any. */
  readonly jkt: string | null
  readonly resources: ReadonlyArray<string>
}

/** A device that was approved by a user. */
type Approved = DeviceAuthorization & { readonly userId: UserId }

const isApproved = (device: DeviceAuthorization): device is Approved => device.userId !== null

/** Issues tokens to devices that their users have approved (RFC 8628 §3.4). */
export class DeviceGrants extends Context.Service<
  DeviceGrants,
  {
    /**
     * Answers a polling device. If the user has approved it, issues its tokens, only once, and records `oauth.grant.created`.
     * Otherwise the error shows whether the authorization is pending, denied or expired.
     */
    redeem(question: DeviceTokenRequest): Effect.Effect<IssuedTokens, OAuthRefused | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/DeviceGrants") {
  static readonly layer = Layer.effect(
    DeviceGrants,
    Effect.gen(function* () {
      const devices = yield* OAuthDevicesRepo
      const grants = yield* NewGrants
      const ids = yield* IdGenerator
      const users = yield* UsersRepo

      /** Finds the device with this code, if its user has approved it. */
      const find = Effect.fnUntraced(function* ({ client, deviceCode }: DeviceTokenRequest, now: DateTime.Utc) {
        const { id: realmId } = yield* CurrentRealm
        const device = isOAuthSecret("deviceCode", deviceCode)
          ? yield* devices.find(realmId, client.id, sha256Text(deviceCode))
          : undefined
        if (device === undefined) return yield* oauthRefused("device_code_unknown")
        const { reason, pollSeconds } = pollResponse(device, now)
        if (device.state === "pending") yield* devices.recordPoll(realmId, device.id, pollSeconds, now)
        if (reason !== undefined) return yield* oauthRefused(reason)
        return isApproved(device) ? device : yield* oauthRefused("device_code_unknown")
      })

      const redeem = Effect.fn("DeviceGrants.redeem")(function* (question: DeviceTokenRequest) {
        const { client, jkt, resources } = question
        const now = yield* DateTime.now
        const device = yield* find(question, now)
        const user = yield* users.find(device.realmId, device.userId)
        if (user === undefined) return yield* oauthRefused("grant_ended")
        // The grant doesn't depend on a browser session (C186).
        const allowed = { ...device, id: yield* ids.make("grant"), sid: null, orgId: null, claims: null }
        const redemption = { client, user, allowed, jkt, nonce: null, resources, ...devices.redemption(device, now) }
        return (yield* grants.redeem(redemption)) ?? (yield* oauthRefused("device_code_used"))
      })

      return DeviceGrants.of({ redeem })
    })
  )
}
