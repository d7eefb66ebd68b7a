/** The maximum length of an RSA modulus in a proof's key, in characters of base64url: 4,096 bits. */
const MODULUS_LENGTH = 683

/** The maximum length of an RSA exponent, in characters of base64url: 64 bits. Common exponents have 17 bits. */
const EXPONENT_LENGTH = 11

const lengthOf = (jwk: object, name: string): number => {
  const value: unknown = Object.hasOwn(jwk, name) ? Reflect.get(jwk, name) : undefined
  return typeof value === "string" ? value.length : 0
}

/** Returns whether a public key's exponent, if it has one, is short enough to verify signatures quickly (SEC-196). */
export const hasShortExponent = (jwk: object): boolean => lengthOf(jwk, "e") <= EXPONENT_LENGTH

/** Returns whether a key from an untrusted sender is small enough to verify signatures with. */
export const isSmallKey = (jwk: object): boolean => hasShortExponent(jwk) && lengthOf(jwk, "n") <= MODULUS_LENGTH
