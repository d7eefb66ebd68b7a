import { createPrivateKey, createPublicKey, type KeyPairKeyObjectResult } from "node:crypto"
import { readFileSync } from "node:fs"

/** Private RSA keys of 2,048 bits, as PKCS #8 in base64, which only tests have ever used. */
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

/** How many pairs tests keep to themselves. */
const KEPT = 4

/** A pair for a test's own key that need not be fresh. No service is given it, so it is a stranger to every realm. */
export const rsaPairOf = (test: 0 | 1 | 2 | 3): KeyPairKeyObjectResult => pairAt(test)

let given = 0

/** The next pair for a service: the same pairs come in turn, so those of the realms of a test differ. */
export const nextRsaPair = (): KeyPairKeyObjectResult => pairAt(KEPT + (given++ % (texts.length - KEPT)))
