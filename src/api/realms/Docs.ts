import { documentGroup, page, sortedBy } from "../GroupDocs.ts"
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
  jwt_max_bytes: 12_000,
  record_unknown_names: false,
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
  account_deletion_days: null,
  trusted_devices_days: null,
  passkey_rp_id: null,
  oauth_scopes: [],
  client_registration: "off",
  registration_scopes: [],
  registration_resources: [],
  roles: [],
  created_at: 1795238590.899
} as const

const about = "The top-level containers for all other resources."

const counts = {
  logins: 0,
  failed_logins: 0,
  blocked_users: 0,
  users_created: 0,
  orgs_created: 0,
  users_imported: 0,
  orgs_imported: 0,
  sessions_ended: 0,
  webhooks_delivered: 0,
  webhooks_failed: 0,
  mails_sent: 0,
  mails_failed: 0
} as const

const endpoints = <const Read>(read: Read) =>
  ({
    list: {
      summary: "List realms",
      description: "With a key that is locked to a realm, returns only that realm.",
      response: page(realmItem)
    },
    create: {
      summary: "Create a realm",
      description:
        "Also creates its signing key and its `password`, `totp` and `passkey` providers. Events: `realm.created`, and `auth_provider.created` for each provider.",
      request: { realm: { name: "Acme", jwt_algo: "hs256" } },
      response: read
    },
    get: { summary: "Get a realm", response: read },
    update: {
      summary: "Update a realm",
      description: "Changes only the members you send. Event: `realm.updated`.",
      request: { realm: { session_minutes: 720 } },
      response: read
    },
    delete: {
      summary: "Delete a realm",
      description: "Deletes the realm and everything in it, effective immediately. Event: `realm.deleted`."
    },
    reset: {
      summary: "Reset a realm",
      description:
        "Deletes all current `users` and `orgs` unless they are set to false, and all current `auth_providers`, `app_hooks` and `login_policies` if they are set to true. The resources can no longer be found, effective immediately, and are deleted in the background. Resources created after the request are not affected. Returns 409 while another reset is in progress. Event: `realm.reset`, which `/v1` does not show.",
      request: { users: true, orgs: true, auth_providers: false },
      response: read
    }
  }) as const

export const realmsV1 = documentGroup(RealmsV1, about, endpoints({ ...realm, jwt_fields: [], jwt_secret: null }), {
  sort: sortedBy("name")
})

const byMethod = [
  { methods: ["password"], logins: 301 },
  { methods: ["google"], logins: 111 }
] as const

export const realmsV2 = documentGroup(
  RealmsV2,
  about,
  {
    ...endpoints({ ...realm, jwt_scopes: [] }),
    statistics: {
      summary: "Get a realm's statistics",
      description:
        "Returns the activity in the realm by hour, day or month (UTC): logins and their methods, active users, new users, and deliveries of the realm's own hooks. Statistics are available as long as the realm's events are stored (`event_retention_days`). The maximum is 31 days, 48 hours with `interval=hour`, or 12 months with `interval=month`.",
      response: {
        object: "statistics",
        interval: "day",
        from: 1795132800,
        to: 1795238590.899,
        truncated: false,
        totals: { users: 1284, orgs: 60, active_users_day: 71, active_users_month: 640 },
        intervals: [
          {
            from: 1795132800,
            ...counts,
            logins: 412,
            active_users: 233,
            logins_by_method: byMethod,
            failed_logins: 9,
            users_created: 17
          },
          {
            from: 1795219200,
            ...counts,
            logins: 86,
            active_users: 71,
            logins_by_method: [],
            webhooks_delivered: 103,
            webhooks_failed: 2
          }
        ],
        failing_hooks: [
          {
            hook_id: "hk_01m7y8xym6b5a4s3d2f1g0h9jk",
            hook_type: "webhook",
            failed: 2,
            retrying: 1,
            last_destination: "https://app.example.com/hooks",
            last_result: "503 Service Unavailable"
          }
        ]
      }
    }
  },
  {
    sort: sortedBy("name"),
    interval: {
      description: "The length of each interval: `hour`, `day` or `month`. Default: `day`.",
      schema: { default: "day" }
    },
    from: {
      description:
        "Unix time in seconds within the first interval. Default: seven days, 24 hours or twelve months in total, including the last interval."
    },
    to: { description: "Unix time in seconds at which the last interval ends. Default: now." }
  }
)
