import { Layer, Redacted } from "effect"
import type { Caller } from "#domain/Caller"
import { DnsPlan } from "#domain/DnsPlan"
import type { ApiKeyId } from "#domain/Ids"
import { testParams } from "#domain/PasswordHash"
import { Mailer } from "#platform/Mailer"
import { Outbound } from "#platform/Outbound"
import { core } from "#server/Sallyport"
import { plannedDns } from "#server/TestMode"
import { Postbox } from "#testing/Postbox"
import { Receiver } from "#testing/Receiver"
import { freshConnections } from "./databases.ts"

/** The public URL in the tokens of a core under test. */
export const publicUrl = "https://id.example.test"

/** The data of a user created below the API: a human without credentials or orgs. */
export const newUserData = (email: string) => ({
  userType: "human" as const,
  usernameRequired: false,
  attributes: { email },
  password: undefined,
  apiKey: undefined,
  credentials: [],
  signupToken: undefined,
  orgIds: [],
  org: undefined,
  permissions: [],
  ownMembership: false
})

/** The whole service without HTTP, under the given encryption keys. */
export const coreUnder = (...keys: ReadonlyArray<string>) =>
  core({
    publicUrl,
    loginDomain: "localhost",
    region: "local",
    issuer: undefined,
    headerPrefix: "X-Service",
    maxRealms: 100,
    eventRetentionDays: 365,
    limits: "nothing",
    trustedProxies: [],
    allowPrivateTargets: true,
    hashCost: testParams,
    mailFrom: { address: "no-reply@id.example.test", name: null },
    mailFromDomains: "any",
    delivers: true,
    consoleKeys: true,
    secrets: keys.map((key) => Redacted.make(key))
  }).pipe(
    Layer.provide(
      Layer.mergeAll(
        Layer.succeed(Mailer, new Postbox().mailer),
        Layer.succeed(Outbound, new Receiver().outbound),
        plannedDns(new DnsPlan())
      )
    )
  )

/** The caller that manages all realms. */
export const root: Caller["Service"] = {
  by: { type: "api_key", id: "ky_root" as ApiKeyId },
  level: "admin_all_realms",
  realmId: null
}

/** The encryption key of all tests below the API. */
export const testKey = "test-secret-of-more-than-32-characters"

/** The whole service under `testKey`. */
export const testCore = coreUnder(testKey)

/** The whole service under `testKey`, on a fresh database. */
export const freshCore = testCore.pipe(Layer.provideMerge(freshConnections))

/** Tests with a database use the real clock. On a test clock, no timeout would ever expire. */
export const withRealClock = { excludeTestServices: true }
