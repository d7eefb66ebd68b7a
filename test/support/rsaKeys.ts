import { createPrivateKey, createPublicKey, type KeyPairKeyObjectResult } from "node:crypto"
import { readFileSync } from "node:fs"

/** Private RSA keys of 2,048 bits, as PKCS #8 in base64. Only tests have ever used them. */
const texts: ReadonlyArray<string> = JSON.parse(readFileSync(new URL("./rsaKeys.json", import.meta.url), "utf8"))

const pairs = new Map<number, KeyPairKeyObjectResult>()

const pairAt = (place: number): KeyPairKeyObjectResult => {
  const known = pairs.get(place)
  if (known !== undefined) return known
  const der = Buffer.from(texts[place] ?? "", "base64")
  const privateKey = createPrivateKey({ key: der, format: "der", type: "pkcs8" })
  const pair = { privateKey, publicKey: createPublicKey(privateKey) }
  pairs.set(place, pair)
  return pair
}

/** The number of pairs reserved for tests. */
const RESERVED_PAIRS = 4

/** A reserved key pair for tests that need no new one. No service uses it, so no realm knows it. */
export const rsaPairOf = (test: 0 | 1 | 2 | 3): KeyPairKeyObjectResult => pairAt(test)

let given = 0

/** The next key pair for a service. Pairs repeat in a cycle, so the realms of one test have different ones. */
export const nextRsaPair = (): KeyPairKeyObjectResult =>
  pairAt(RESERVED_PAIRS + (given++ % (texts.length - RESERVED_PAIRS)))
