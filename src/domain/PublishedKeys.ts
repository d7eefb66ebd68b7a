/** Patterns of example secrets printed in standards, tools and tutorials; byte strings in base64url. */
const secrets: ReadonlyArray<RegExp> = [
  // RFC 7515 appendix A.1, also in RFC 7519; RFC 7520 §3.5.
  /^AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow$/i,
  /^hJtXIZ2uSN5kbQfbtTNWbpdmhkV8FJG-Onbc6mxCcYg$/i,
  // jwt.io, in old and new versions, also as a part of longer texts.
  /your-\d+-bit-secret/i,
  /string-secret-(that-is-)?at-least-\d+-bits-long/i,
  // A widely copied tutorial on JWTs.
  /^404E635266556A586E3272357538782F413F4428472B4B6250645367566B5970$/i
]

/** The first characters (base64url) of the moduli of RSA keys whose private keys are published. */
const moduli: ReadonlyArray<string> = [
  // RFC 7515 appendix A.2; RFC 7520 §3.4.
  "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp",
  "n4EPtAOCc9AlkeQHPzHStgAbgs7bTZLwUBZdR8_KuKPEHLd4rHVTeT-O-XV2jRoj",
  // jwt.io, in new and old versions.
  "u1SU1LfVLPHCozMxH2Mo4lgOEePzNm0tRgeLezV6ffAt0gunVTLw7onLRnrq0_Iz",
  "nzyis1ZjfNB0bBgKFMSvvkTtwlvBsaJq7S5wA-kzeVOVpVWwkWdVha4s38XM_pa_"
]

/** Whether the text consists of a shorter text repeated. */
const isRepetition = (text: string): boolean =>
  Array.from({ length: Math.floor(text.length / 2) }).some((_, n) => text.startsWith(text.slice(n + 1)))

/** Whether a secret is easy to guess: a published example, or a short text repeated (SEC-43). */
export const isKnownSecret = (secret: string): boolean => {
  const inBase64Url = secret.trim().replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")
  return secrets.some((known) => known.test(inBase64Url)) || isRepetition(secret.toLowerCase())
}

/** Whether an RSA key with this modulus (base64url) is a published example. */
export const isKnownModulus = (modulus: string): boolean => moduli.some((beginning) => modulus.startsWith(beginning))
