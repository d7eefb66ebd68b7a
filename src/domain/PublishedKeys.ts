/** Patterns of example secrets from standards, tools and tutorials. Byte strings are in base64url. */
const secrets: ReadonlyArray<RegExp> = [
  // RFC 7515 appendix A.1, also in RFC 7519; RFC 7520 §3.5.
  /^AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow$/i,
  /^hJtXIZ2uSN5kbQfbtTNWbpdmhkV8FJG-Onbc6mxCcYg$/i,
  // jwt.io, old and new versions, including as part of longer strings.
  /your-\d+-bit-secret/i,
  /string-secret-(that-is-)?at-least-\d+-bits-long/i,
  // A widely copied JWT tutorial.
  /^404E635266556A586E3272357538782F413F4428472B4B6250645367566B5970$/i
]

/** The beginnings of RSA moduli whose private keys are published, in base64url. */
const moduli: ReadonlyArray<string> = [
  // RFC 7515 appendix A.2; RFC 7520 §3.4.
  "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp",
  "n4EPtAOCc9AlkeQHPzHStgAbgs7bTZLwUBZdR8_KuKPEHLd4rHVTeT-O-XV2jRoj",
  // jwt.io, new and old versions.
  "u1SU1LfVLPHCozMxH2Mo4lgOEePzNm0tRgeLezV6ffAt0gunVTLw7onLRnrq0_Iz",
  "nzyis1ZjfNB0bBgKFMSvvkTtwlvBsaJq7S5wA-kzeVOVpVWwkWdVha4s38XM_pa_"
]

/** Returns whether a string consists of a repeated shorter string. */
const isRepetition = (text: string): boolean =>
  Array.from({ length: Math.floor(text.length / 2) }).some((_, n) => text.startsWith(text.slice(n + 1)))

/** Returns whether a secret is easy to guess, because it is a published example or a repeated short string (SEC-43). */
export const isKnownSecret = (secret: string): boolean => {
  const inBase64Url = secret.trim().replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")
  return secrets.some((known) => known.test(inBase64Url)) || isRepetition(secret.toLowerCase())
}

/** Returns whether an RSA key with this modulus (base64url) is a published example key. */
export const isKnownModulus = (modulus: string): boolean => moduli.some((beginning) => modulus.startsWith(beginning))
