import { MAX_API_KEYS } from "#domain/ApiKey"
import { documentGroup, page } from "../GroupDocs.ts"
import { user } from "../memberships/Samples.ts"
import { ApiKeysV1, ApiKeysV2 } from "./Endpoints.ts"

/** A sample API key. */
export const apiKey = {
  id: "key_01m7y8xyj4bmw0ek0bz2h2g9tn",
  object: "api_key",
  name: "backend",
  level: "write",
  realm_id: user.realm_id,
  created_at: 1795238591.02,
  expires_at: null,
  last_used_at: null
} as const

const about = "Keys that authenticate callers of this API."

const endpoints = {
  list: {
    summary: "List API keys",
    description: "Lists the keys that the caller can manage.",
    response: page(apiKey)
  },
  get: { summary: "Get an API key", response: apiKey },
  create: {
    summary: "Create an API key",
    description: `The key is only shown in this response. At most ${MAX_API_KEYS.toLocaleString("en")} keys, including expired ones, can be locked to one realm. Returns 422 with the code \`too_many_api_keys\` if there are more.`,
    request: { api_key: { name: "backend", level: "write", realm_id: user.realm_id } },
    response: { ...apiKey, key: "sk_01m7y8xyj4bmw0ek0bz2h2g9tn_…" }
  },
  delete: { summary: "Delete an API key", description: "The key stops working immediately." }
} as const

export const apiKeysV1 = documentGroup(ApiKeysV1, about, endpoints)

export const apiKeysV2 = documentGroup(ApiKeysV2, about, endpoints)
