import { Redacted } from "effect"
import { core } from "#server/Sallyport"

/** Where the tokens of a core under test say they are from. */
export const publicUrl = "https://id.example.test"

/** Everything the service does, without HTTP, for tests that look beneath the surface. */
export const testCore = core({
  publicUrl,
  issuer: undefined,
  headerPrefix: "X-Service",
  maxRealms: 100,
  secrets: [Redacted.make("test-secret-of-more-than-32-characters")]
})
