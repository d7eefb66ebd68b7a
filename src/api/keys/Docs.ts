import { documentGroup, maxResults, page } from "../GroupDocs.ts"
import { user } from "../memberships/Samples.ts"
import { JwtKeysV1, JwtKeysV2 } from "./Endpoints.ts"

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

const about =
  "The keys that sign tokens. The oldest unexpired key signs; a new `rs256` key signs only after it has been published for a minute, which is how long verifiers may cache the JWKS."

const endpoints = {
  list: {
    summary: "List JWT keys",
    description: "Lists current and future signing keys, and expired ones as long as they verify, newest first.",
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
      "The key signs once the realm's older keys are expired or deleted. An rs256 key does not sign until a minute after its creation if an older key was expired only recently, so that verifiers know it first. To use your own `key`, send a secret of at least 32 bytes for hs256 (used as its literal UTF-8 bytes), or a private key of at least 2048 bits for rs256 (PEM, PKCS #8 or PKCS #1). If left out, a key is generated. Event: `realm.updated`.",
    request: { jwt_key: { algo: "hs256", use: "sign" } },
    answer: jwtKey
  },
  delete: {
    summary: "Delete a JWT key",
    description:
      "Without `force`, the key is expired: it no longer signs, but still verifies tokens: hs256 for six hours, or for `session_minutes` up to a day; rs256 for a day and a minute, which is longer than any access token is valid. An rs256 key signs for up to a minute more if its successor is newer than that. With `force`, it is deleted: every node rejects its tokens within a second, users and OAuth clients with such tokens must log in again or refresh, and verifiers that cache the JWKS reject tokens of the next key for up to a minute unless they fetch unknown keys. If no other key is left to sign, one with the same algorithm is created. Event: `realm.updated`, unless the key was already expired."
  }
} as const

const parameters = {
  max_results: maxResults(100),
  direction: {
    description: "The sort direction: descending (`desc`, the default) or ascending (`asc`).",
    schema: { default: "desc" }
  },
  force: {
    description:
      "Whether to delete the key immediately, instead of letting it verify for 6 to 24 hours. Tokens that it signed stop verifying. Default: false.",
    schema: { default: false }
  }
}

export const jwtKeysV1 = documentGroup(JwtKeysV1, about, endpoints, parameters)

export const jwtKeysV2 = documentGroup(JwtKeysV2, about, endpoints, parameters)
