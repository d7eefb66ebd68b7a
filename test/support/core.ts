import { Layer, Redacted } from "effect"
import type { Caller } from "#domain/Caller"
import type { ApiKeyId } from "#domain/Ids"
import { testParams } from "#domain/PasswordHash"
import { Mailer } from "#platform/Mailer"
import { Outbound } from "#platform/Outbound"
import { core } from "#server/Sallyport"
import { Postbox } from "#testing/Postbox"
import { Receiver } from "#testing/Receiver"
import { freshConnections } from "./databases.ts"

/** Where the tokens of a core under test say they are from. */
export const publicUrl = "https://id.example.test"

/** A user to be made beneath the surface: a human without credentials, orgs or anything else. */
export const userAsked = (email: string) => ({
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

/** Everything the service does, without HTTP, under encryption keys of one's own. */
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
    secrets: keys.map((key) => Redacted.make(key))
  }).pipe(
    Layer.provide(
      Layer.merge(Layer.succeed(Mailer, new Postbox().mailer), Layer.succeed(Outbound, new Receiver().outbound))
    )
  )

/** Who manages all realms. */
export const root: Caller["Service"] = { keyId: "ky_root" as ApiKeyId, level: "admin_all_realms", realmId: null }

/** The key of all tests that look beneath the surface. */
export const testKey = "test-secret-of-more-than-32-characters"

/** The same under that key. */
export const testCore = coreUnder(testKey)

/** The same on a fresh database that nobody shares. */
export const freshCore = testCore.pipe(Layer.provideMerge(freshConnections))

/** Tests with a database run by the real clock: by one that stands still, no time limit would ever end. */
export const byRealClock = { excludeTestServices: true }
