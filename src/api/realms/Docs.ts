import { describeGroup, page, sortedBy } from "../GroupDocs.ts"
import { user } from "../memberships/Samples.ts"
import { RealmsV1 } from "./V1.ts"
import { RealmsV2 } from "./V2.ts"

const realmItem = { id: user.realm_id, object: "realm", name: "Acme", state: "active", reference: null } as const

const realm = {
  ...realmItem,
  custom: {},
  environment: "live",
  username_validation_human: "standard",
  require_unique_emails: true,
  api_key_prefix: null,
  api_key_policy: "hash",
  jwt_algo: "hs256",
  jwt_claims: "v2",
  jwt_key: null,
  session_type: "managed",
  session_minutes: 360,
  session_tokens: "all",
  mfa: "optional",
  api_key_minutes: 0,
  org_mode: "multi_user",
  signup: "open",
  signup_fields: ["username", "names", "org_name"],
  email_verification: "none",
  default_locale: "en",
  available_locales: ["en"],
  resource_links: [],
  limits: {},
  event_retention_days: null,
  passkey_rp_id: null,
  oauth_scopes: [],
  client_registration: "off",
  registration_scopes: [],
  registration_resources: [],
  created_at: 1795238590.899
} as const

const about = "The top-level containers. Everything else belongs to one."

const endpoints = <const Read>(read: Read) =>
  ({
    list: {
      summary: "List realms",
      description: "A key locked to a realm sees only that realm.",
      answer: page(realmItem)
    },
    create: {
      summary: "Create a realm",
      description:
        "Also creates its signing key and its `password`, `totp` and `passkey` providers. Events: `realm.created`, and `auth_provider.created` for each provider.",
      request: { realm: { name: "Acme", jwt_algo: "hs256" } },
      answer: read
    },
    get: { summary: "Get a realm", answer: read },
    update: {
      summary: "Update a realm",
      description: "Changes only the members sent. Event: `realm.updated`.",
      request: { realm: { session_minutes: 720 } },
      answer: read
    },
    delete: {
      summary: "Delete a realm",
      description:
        "The realm and everything in it can no longer be found, effective immediately. Event: `realm.deleted`."
    },
    reset: {
      summary: "Reset a realm",
      description:
        "Deletes all current `users` and `orgs`, unless set to false, and all `auth_providers`, `app_hooks` and `login_policies` that are set to true. Callers can no longer find them, effective immediately; they are deleted in the background, and anything created from now on is kept. Event: `realm.reset`, which `/v1` does not show. 409 while another reset is in progress.",
      request: { users: true, orgs: true, auth_providers: false },
      answer: read
    }
  }) as const

export const realmsV1 = describeGroup(RealmsV1, about, endpoints({ ...realm, jwt_fields: [], jwt_secret: null }), {
  sort: sortedBy("name")
})

export const realmsV2 = describeGroup(RealmsV2, about, endpoints({ ...realm, jwt_scopes: [] }), {
  sort: sortedBy("name")
})
