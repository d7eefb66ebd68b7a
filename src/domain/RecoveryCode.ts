/** The number of recovery codes in a set. */
export const CODES_PER_SET = 10

/** The hosted pages suggest creating a new set when this number of codes is left. */
export const FEW_CODES = 3

const LENGTH = 12
const GROUP = /.{4}/g

/** Crockford's Base32 in lower case, which has no letter that looks like a digit. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"

/** The number of random bytes needed for a code. */
export const RECOVERY_CODE_BYTES = LENGTH

/** A recovery code with 60 random bits, in groups of four characters: `7k2m-x9qa-04tz`. */
export const recoveryCodeOf = (bytes: Uint8Array): string =>
  [...bytes.subarray(0, LENGTH)]
    .map((byte) => ALPHABET.charAt(byte % ALPHABET.length))
    .join("")
    .replace(GROUP, "-$&")
    .slice(1)

const form = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)

/**
 * Parses a recovery code as typed. Ignores case, hyphens and spaces, and reads letters that look like digits as digits.
 * Returns undefined if the string does not have the form of a recovery code.
 */
export const parseRecoveryCode = (typed: string): string | undefined => {
  const code = typed
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\s\u2010-\u2015-]/g, "")
    .replaceAll("o", "0")
    .replaceAll(/[il]/g, "1")
  return form.test(code) ? code : undefined
}
