import { user } from "./Samples.ts"

const create =
  "Sets where the hosted login pages of a realm are, how they look and where they lead. If `subdomain` is left out, it is derived from the name; it is unique across all realms. URLs must be https, or http on the browser's own machine; `redirect_uris` can also use an app's own scheme, such as `com.example.app:/path`. Event: `login_policy.created`."

const described = (what: string, needed: string) => ({
  list: { summary: `List ${what}s` },
  get: { summary: `Get a ${what}` },
  create: { summary: `Create a ${what}`, description: `${create} ${needed}` },
  update: {
    summary: `Update a ${what}`,
    description:
      "Changes only the members sent; a new `subdomain` takes effect immediately. Event: `login_policy.updated`."
  },
  delete: {
    summary: `Delete a ${what}`,
    description: "Its domains are deleted too and become available to other apps. Event: `login_policy.deleted`."
  }
})

const v1 = described("connected app", "`login_handler` is required.")
const v2 = described("client app", "`login_handler` is optional.")

/** What each operation on connected apps does. */
export const appOperations = {
  "login_policies.list": v1.list,
  "login_policies.get": v1.get,
  "login_policies.create": v1.create,
  "login_policies.update": v1.update,
  "login_policies.delete": v1.delete,
  "client_apps.list": v2.list,
  "client_apps.get": v2.get,
  "client_apps.create": v2.create,
  "client_apps.update": v2.update,
  "client_apps.delete": v2.delete
}

const group = "The hosted login pages of a realm: where they are, how they look and where they lead."

export const appGroups = { login_policies: `Connected apps. ${group}`, client_apps: group }

const maxResults = {
  description: "The maximum number of items to return.",
  schema: { type: "integer", minimum: 1, maximum: 100, default: 100 }
}

/** What their parameters are for. */
export const appParameters = {
  "login_policies.max_results": maxResults,
  "client_apps.max_results": maxResults,
  app_id: { description: "The connected app's ID." },
  login_policy_id: { description: "The connected app's ID." },
  client_app_id: { description: "The connected app's ID." }
}

const created = {
  name: "Acme",
  login_handler: "https://app.example.com/login",
  redirect_uris: ["https://app.example.com/account", "com.example.app:/login"],
  require_names: true
}
const updated = { footer: "<p>Acme Inc.</p>", signup_mode: "user_org" }

/** What callers send of connected apps. */
export const appRequests = {
  "login_policies.create": { login_policy: created },
  "login_policies.update": { login_policy: updated },
  "client_apps.create": { client_app: created },
  "client_apps.update": { client_app: updated }
}

const item = {
  id: "lpl_01m7y8xysm2k4p6r8t0v2x4z6b",
  name: created.name,
  realm_id: user.realm_id,
  subdomain: "acme",
  domains: ["acme.eu.id.example.com"]
}

/** What operations on connected apps answer. */
export const appAnswer = (resource: string, operation: string): unknown => {
  const shown = { ...item, object: resource === "client_apps" ? "client_app" : "login_policy" }
  if (operation === "list") return { collection: [shown], more_results: false }
  return {
    ...shown,
    state: "active",
    header: null,
    footer: null,
    external_css: null,
    signup_handler: null,
    signup_mode: "user",
    require_password_confirmation: false,
    require_org_name: false,
    allow_jsonp: true,
    ...created,
    created_at: 1_795_238_591.95
  }
}
