import { describeGroup, maxResults, page } from "../GroupDocs.ts"
import { user } from "../memberships/Samples.ts"
import { JwtKeysV1 } from "./V1.ts"
import { JwtKeysV2 } from "./V2.ts"

const jwtKey = {
  id: "jky_01m7y8xydn9s4b7w1c5x8z2k6f",
  object: "jwt_key",
  algo: "hs256",
  expired: false,
  key: "jsk_8Zk2…",
  use: "sign",
  realm_id: user.realm_id,
  created_at: 1795238590.899
} as const

const about = "The keys that sign tokens. The oldest unexpired key signs."

const endpoints = {
  list: {
    summary: "List JWT keys",
    description: "Lists the keys that sign or will sign, and expired ones as long as they verify, newest first.",
    answer: page(jwtKey)
  },
  get: {
    summary: "Get a JWT key",
    description: "`key` is the secret for hs256 and the public key (PEM) for rs256.",
    answer: jwtKey
  },
  create: {
    summary: "Create a JWT key",
    description:
      "The key signs once the realm's older keys are expired or deleted. To use your own `key`, send a secret of at least 32 bytes for hs256 (used as its literal UTF-8 bytes), or a private key of at least 2048 bits for rs256 (PEM, PKCS #8 or PKCS #1). If left out, a key is generated. Event: `realm.updated`.",
    request: { jwt_key: { algo: "hs256", use: "sign" } },
    answer: jwtKey
  },
  delete: {
    summary: "Delete a JWT key",
    description:
      "Without `force`, the key is expired: it no longer signs, but still verifies for six hours, or for `session_minutes` up to a day. With `force`, it is deleted: every node refuses its tokens within a second. If no other key is left to sign, one with the same algorithm is created. Event: `realm.updated`, unless the key was already expired."
  }
} as const

const parameters = {
  max_results: maxResults(100),
  direction: {
    description: "The sort direction: descending (`desc`, the default) or ascending (`asc`).",
    schema: { default: "desc" }
  },
  force: {
    description: "Whether to delete the key at once, instead of letting it verify for 6 to 24 hours. Default: false.",
    schema: { default: false }
  }
}

export const jwtKeysV1 = describeGroup(JwtKeysV1, about, endpoints, parameters)

export const jwtKeysV2 = describeGroup(JwtKeysV2, about, endpoints, parameters)
