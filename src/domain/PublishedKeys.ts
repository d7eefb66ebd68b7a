/** What tells the example secrets that standards, tools and tutorials print, in base64url where they are bytes. */
const secrets: ReadonlyArray<RegExp> = [
  // RFC 7515 appendix A.1, also in RFC 7519; RFC 7520 section 3.5.
  /^AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow$/i,
  /^hJtXIZ2uSN5kbQfbtTNWbpdmhkV8FJG-Onbc6mxCcYg$/i,
  // jwt.io, before and now, and whatever begins or ends with it.
  /your-\d+-bit-secret/i,
  /string-secret-(that-is-)?at-least-\d+-bits-long/i,
  // The tutorial on tokens that half the samples on the web were copied from.
  /^404E635266556A586E3272357538782F413F4428472B4B6250645367566B5970$/i
]

/** How the moduli (base64url) of the RSA keys begin whose private halves are printed in public. */
const moduli: ReadonlyArray<string> = [
  // RFC 7515 appendix A.2; RFC 7520 section 3.4.
  "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp",
  "n4EPtAOCc9AlkeQHPzHStgAbgs7bTZLwUBZdR8_KuKPEHLd4rHVTeT-O-XV2jRoj",
  // jwt.io, now and before.
  "u1SU1LfVLPHCozMxH2Mo4lgOEePzNm0tRgeLezV6ffAt0gunVTLw7onLRnrq0_Iz",
  "nzyis1ZjfNB0bBgKFMSvvkTtwlvBsaJq7S5wA-kzeVOVpVWwkWdVha4s38XM_pa_"
]

/** Whether the text is a shorter one again and again. */
const repeats = (text: string): boolean =>
  Array.from({ length: Math.floor(text.length / 2) }).some((_, n) => text.startsWith(text.slice(n + 1)))

/** Whether everybody can guess the secret: a published example, or a shorter text repeated (SEC-43). */
export const isKnownSecret = (secret: string): boolean => {
  const inBase64Url = secret.trim().replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")
  return secrets.some((known) => known.test(inBase64Url)) || repeats(secret.toLowerCase())
}

/** Whether the private key of this modulus (base64url) is a published example. */
export const isKnownModulus = (modulus: string): boolean => moduli.some((beginning) => modulus.startsWith(beginning))
