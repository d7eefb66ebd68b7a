/** The longest modulus of an RSA key in a proof, in characters of base64url: 4,096 bits. */
const MODULUS_LENGTH = 683

/** The longest exponent of an RSA key, in characters of base64url: 64 bits. Common exponents have 17 bits. */
const EXPONENT_LENGTH = 11

const lengthOf = (jwk: object, name: string): number => {
  const value: unknown = Object.hasOwn(jwk, name) ? Reflect.get(jwk, name) : undefined
  return typeof value === "string" ? value.length : 0
}

/** Whether the exponent of a public key, if it has one, is short, so that checking a signature takes little time (SEC-196). */
export const hasShortExponent = (jwk: object): boolean => lengthOf(jwk, "e") <= EXPONENT_LENGTH

/** Whether a key that anyone can send is small enough to check a signature with. */
export const isSmallKey = (jwk: object): boolean => hasShortExponent(jwk) && lengthOf(jwk, "n") <= MODULUS_LENGTH
