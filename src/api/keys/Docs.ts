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
  "The keys that sign tokens. The oldest unexpired key signs. A new `rs256` key does not sign until it has been published for a minute, because verifiers may cache the JWKS for that long."

const endpoints = {
  list: {
    summary: "List JWT keys",
    description: "Lists current and future signing keys, and expired keys that still verify tokens, newest first.",
    response: page(jwtKey)
  },
  get: {
    summary: "Get a JWT key",
    description: "`key` is the secret for hs256 and the public key (PEM) for rs256.",
    response: jwtKey
  },
  create: {
    summary: "Create a JWT key",
    description:
      "The key starts to sign when the realm's older keys are expired or deleted. If an older key was expired only recently, a new rs256 key does not sign until a minute after its creation, so that verifiers know it first. To use your own `key`, send a secret of at least 32 bytes for hs256 (used as its literal UTF-8 bytes), or a private key of at least 2048 bits for rs256 (PEM, PKCS #8 or PKCS #1). If `key` is missing, a key is generated. Event: `realm.updated`.",
    request: { jwt_key: { algo: "hs256", use: "sign" } },
    response: jwtKey
  },
  delete: {
    summary: "Delete a JWT key",
    description:
      "Without `force`, the key is expired. It no longer signs, but still verifies tokens: an hs256 key for six hours, or for `session_minutes` up to a day; an rs256 key for a day and a minute, which is longer than any access token is valid. An rs256 key continues to sign until its successor is a minute old. With `force`, the key is deleted, and every node rejects its tokens within a second. Users and OAuth clients with these tokens must log in again or refresh. Verifiers that cache the JWKS reject tokens of the next key for up to a minute, unless they fetch unknown keys. If no other key is left to sign, a key with the same algorithm is created. Event: `realm.updated`, unless the key was already expired."
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
