import { Context, DateTime, Effect, Layer } from "effect"
import type { ConnectedApp } from "#domain/ConnectedApp"
import type { OAuthClient } from "#domain/clients/OAuthClient"
import { RequestOrigin } from "#domain/Event"
import type { RateLimited } from "#domain/Limit"
import {
  DEVICE_CODE_SECONDS,
  type DeviceAuthorization,
  POLL_SECONDS,
  parseUserCode,
  shownUserCode,
  USER_CODE_BYTES,
  userCodeOf
} from "#domain/oauth/DeviceCode"
import { type DeviceParams, deviceRequestOf } from "#domain/oauth/DeviceRequest"
import { type OAuthRefused, oauthRefused } from "#domain/oauth/OAuthProblem"
import { oauthSecrets } from "#domain/oauth/OAuthToken"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { Entropy } from "#platform/Entropy"
import { LoginDomains } from "#platform/LoginDomains"
import { randomSecret, sha256Text } from "#platform/Tokens"
import { OAuthDevicesRepo } from "#store/oauth/OAuthDevicesRepo"
import { Journal } from "../events/Journal.ts"
import { RateLimits, userCodeSubject } from "../limits/RateLimits.ts"
import type { LoggedInVisitor } from "../sessions/BrowserSessions.ts"
import { ActiveClients } from "./ActiveClients.ts"
import { LoginApps } from "./LoginApps.ts"

/** The codes of a device: one that it shows to its user, and one that it polls with (RFC 8628 §3.2). */
export interface NewDevice {
  readonly deviceCode: string
  readonly userCode: string
  readonly verificationUri: string
  readonly verificationUriComplete: string
  readonly expiresIn: number
  readonly interval: number
}

/** A device that waits for a decision by the user who entered its code. */
export interface WaitingDevice {
  readonly device: DeviceAuthorization
  readonly client: OAuthClient
}

/** The logged-in visitor who decides, with the app and the IP address. */
export interface DeviceVisitor {
  readonly app: ConnectedApp
  readonly visitor: LoggedInVisitor
  readonly address: string
}

/** The number of random user codes to try until one is unused. With a million waiting devices, one in 25,600 codes is taken. */
const ATTEMPTS = 5

/** Handles authorization requests of devices, which users approve in a browser on another device (RFC 8628). */
export class DeviceAuthorizations extends Context.Service<
  DeviceAuthorizations,
  {
    /** Starts a device authorization and returns its codes. */
    begin(client: OAuthClient, demand: DeviceParams): Effect.Effect<NewDevice, OAuthRefused, CurrentRealm>
    /**
     * Finds the device with the entered code, and reserves the decision for this user (SEC-171). Returns undefined if no
     * device of this app has the code. Wrong codes are counted per user and per address (SEC-172).
     */
    enterCode(by: DeviceVisitor, typed: string): Effect.Effect<WaitingDevice | undefined, RateLimited, CurrentRealm>
    /**
     * Stores the user's decision. It must be made in the browser where the code was entered. Records `oauth.device.approved`
     * or `oauth.device.denied`. Returns undefined if there is nothing left to decide.
     */
    decide(
      by: DeviceVisitor,
      typed: string,
      state: "approved" | "denied"
    ): Effect.Effect<WaitingDevice | undefined, RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/DeviceAuthorizations") {
  static readonly layer = Layer.effect(
    DeviceAuthorizations,
    Effect.gen(function* () {
      const apps = yield* LoginApps
      const clients = yield* ActiveClients
      const domains = yield* LoginDomains
      const entropy = yield* Entropy
      const journal = yield* Journal
      const rateLimits = yield* RateLimits
      const repo = yield* OAuthDevicesRepo

      /** Stores a device with an unused user code. */
      const store = Effect.fnUntraced(function* (device: Omit<DeviceAuthorization, "userCode">) {
        for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
          const userCode = userCodeOf(entropy.bytes(USER_CODE_BYTES))
          if (yield* repo.insert({ ...device, userCode })) return userCode
        }
        return yield* oauthRefused("client_unknown")
      })

      const begin = Effect.fn("DeviceAuthorizations.begin")(function* (client: OAuthClient, demand: DeviceParams) {
        const realm = yield* CurrentRealm
        if (realm.state === "inactive") return yield* oauthRefused("realm_inactive")
        const requested = deviceRequestOf(client, demand)
        if (typeof requested === "string") return yield* oauthRefused(requested)
        const app = yield* apps.find(client)
        if (app === undefined) return yield* oauthRefused("no_login_app")
        const [deviceCode, createdAt, origin] = [
          `${oauthSecrets.deviceCode}${randomSecret(entropy)}`,
          yield* DateTime.now,
          yield* RequestOrigin
        ]
        const userCode = yield* store({
          ...requested,
          id: sha256Text(deviceCode),
          realmId: realm.id,
          clientId: client.id,
          appId: app.id,
          requestIp: origin.ip,
          requestClient: origin.client,
          state: "pending",
          userId: null,
          authentication: null,
          pollSeconds: POLL_SECONDS,
          polledAt: null,
          createdAt,
          expiresAt: DateTime.add(createdAt, { seconds: DEVICE_CODE_SECONDS })
        })
        const verificationUri = `${domains.origin(app.subdomain)}/device`
        const shown = shownUserCode(userCode)
        return {
          deviceCode,
          userCode: shown,
          verificationUri,
          verificationUriComplete: `${verificationUri}?user_code=${shown}`,
          expiresIn: DEVICE_CODE_SECONDS,
          interval: POLL_SECONDS
        }
      })

      const entryOf = ({ app, visitor: { user, login } }: DeviceVisitor, userCode: string) => ({
        realmId: user.realmId,
        appId: app.id,
        userCode,
        userId: user.id,
        browserId: login.browserId
      })

      /** Returns a device with its client, or undefined if the client is no longer active. */
      const withClient = (device: DeviceAuthorization) =>
        clients.find(device.clientId).pipe(
          Effect.map((client) => ({ device, client })),
          Effect.catchTag("OAuthClientNotFound", () => Effect.succeed(undefined))
        )

      const enterCode = Effect.fn("DeviceAuthorizations.enter")(function* (by: DeviceVisitor, typed: string) {
        const realm = yield* CurrentRealm
        const refunds = yield* Effect.forEach([by.visitor.user.id, by.address], (subject) =>
          rateLimits.reserve("user_codes", userCodeSubject(realm.id, subject), realm.limits)
        )
        const code = parseUserCode(typed)
        const device = code === undefined ? undefined : yield* repo.claim(entryOf(by, code), yield* DateTime.now)
        if (device === undefined) return undefined
        yield* Effect.all(refunds)
        return yield* withClient(device)
      })

      const decide = Effect.fn("DeviceAuthorizations.decide")(function* (
        by: DeviceVisitor,
        typed: string,
        state: "approved" | "denied"
      ) {
        const code = parseUserCode(typed)
        if (code === undefined) return undefined
        const { user, session, authentication } = by.visitor
        const entry = entryOf(by, code)
        const now = yield* DateTime.now
        const waiting = yield* repo.findEntered(entry, now)
        const found = waiting === undefined ? undefined : yield* withClient(waiting)
        if (found === undefined) return undefined
        const { guard, write } = repo.decision(entry, state, authentication, now)
        const eventType = state === "approved" ? ("oauth.device.approved" as const) : ("oauth.device.denied" as const)
        const about = { userId: user.id, appId: found.client.id }
        const event = { eventType, ...about, ...(session === undefined ? {} : { sessionId: session.id }) }
        const device = yield* journal.writeIf(guard, [{ writes: [write], events: [event] }])
        return device === undefined ? undefined : { ...found, device }
      })

      return DeviceAuthorizations.of({ begin, enterCode, decide })
    })
  )
}
