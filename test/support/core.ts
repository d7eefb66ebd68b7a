import { Redacted } from "effect"
import { core } from "#server/Sallyport"

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
    issuer: undefined,
    headerPrefix: "X-Service",
    maxRealms: 100,
    secrets: keys.map((key) => Redacted.make(key))
  })

/** The key of all tests that look beneath the surface. */
export const testKey = "test-secret-of-more-than-32-characters"

/** The same under that key. */
export const testCore = coreUnder(testKey)
