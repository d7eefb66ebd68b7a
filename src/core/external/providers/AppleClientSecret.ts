import { createPrivateKey, type KeyObject } from "node:crypto"
import { DateTime, Effect } from "effect"
import { SignJWT } from "jose"
import type { AppleProvider } from "#domain/AuthProvider"

/** How long a client secret is valid. Apple allows up to six months, but each request gets its own. */
const LIFETIME_SECONDS = 300

const keyIn = (pem: string): KeyObject | undefined => {
  try {
    const key = createPrivateKey(pem.trim())
    return key.asymmetricKeyDetails?.namedCurve === "prime256v1" ? key : undefined
  } catch {
    return undefined
  }
}

/** Returns the message code if a text is not a private key for ES256 in PEM, as Apple's .p8 files contain it. */
export const privateKeyProblem = (pem: string): "apple_key_form" | undefined =>
  keyIn(pem) === undefined ? "apple_key_form" : undefined

/** Signs the client secret of an Apple provider, which is a JWT. Returns null if the stored key is unusable. */
export const appleClientSecret = Effect.fnUntraced(function* (provider: AppleProvider, pem: string) {
  const key = keyIn(pem)
  if (key === undefined) return null
  const issuedAt = Math.floor((yield* DateTime.now).epochMilliseconds / 1_000)
  const jwt = new SignJWT({})
    .setProtectedHeader({ alg: "ES256", kid: provider.keyId })
    .setIssuer(provider.teamId)
    .setSubject(provider.clientId)
    .setAudience("https://appleid.apple.com")
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + LIFETIME_SECONDS)
  return yield* Effect.promise(() => jwt.sign(key))
})
