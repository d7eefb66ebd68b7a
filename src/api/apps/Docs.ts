import { describeGroup, maxResults, page, sortedBy } from "../GroupDocs.ts"
import { user } from "../memberships/Samples.ts"
import { ConnectedAppsV1 } from "./V1.ts"
import { ConnectedAppsV2 } from "./V2.ts"

const pages = "The hosted login pages of a realm: where they are, how they look and where they lead."

const create =
  "Sets where the hosted login pages of a realm are, how they look and where they lead. If `subdomain` is left out, it is derived from the name; it is unique across all realms. URLs must be https, or http on the browser's own machine; `redirect_uris` and `logout_uris` can also use an app's own scheme, such as `com.example.app:/path`. Event: `login_policy.created`."

const newApp = {
  name: "Acme",
  login_handler: "https://app.example.com/login",
  redirect_uris: ["https://app.example.com/account", "com.example.app:/login"],
  logout_uris: ["https://www.example.com/goodbye"],
  require_names: true
}

const changes = { footer: "<p>Acme Inc.</p>", signup_mode: "user_org", appearance: { color: "#0b3d91" } } as const

const webApp = {
  id: "lpl_01m7y8xysm2k4p6r8t0v2x4z6b",
  name: newApp.name,
  realm_id: user.realm_id,
  subdomain: "acme",
  domains: ["acme.eu.id.example.com"],
  login_url: "https://acme.eu.id.example.com/login"
}

/** What a version calls a connected app, and how it takes one. */
interface Wording<Creation, Change> {
  readonly object: "login_policy" | "client_app"
  readonly name: string
  readonly handler: string
  readonly creation: Creation
  readonly change: Change
}

const endpoints = <const Creation, const Change>({
  object,
  name,
  handler,
  creation,
  change
}: Wording<Creation, Change>) => {
  const item = { ...webApp, object }
  const read = {
    ...item,
    state: "active",
    header: null,
    footer: null,
    external_css: null,
    signup_handler: null,
    signup_mode: "user",
    require_password_confirmation: false,
    require_org_name: false,
    allow_jsonp: true,
    auto_continue: true,
    allow_invitations: true,
    invitation_permissions: [],
    ...newApp,
    appearance: {
      name: "Acme",
      logo_url: "https://acme.eu.id.example.com/assets/logos/4f1c2a9be07d35168a2b7c90d1e3f546.svg",
      dark_logo_url: null,
      color: "#0b3d91",
      dark_color: null
    },
    created_at: 1_795_238_591.95
  }
  return {
    list: { summary: `List ${name}s`, answer: page(item) },
    get: { summary: `Get a ${name}`, answer: read },
    create: { summary: `Create a ${name}`, description: `${create} ${handler}`, request: creation, answer: read },
    update: {
      summary: `Update a ${name}`,
      description:
        "Changes only the members sent; a new `subdomain` takes effect immediately. Event: `login_policy.updated`.",
      request: change,
      answer: read
    },
    delete: {
      summary: `Delete a ${name}`,
      description: "Its domains are deleted too and become available to other apps. Event: `login_policy.deleted`."
    }
  } as const
}

const parameters = {
  max_results: maxResults(100),
  sort: sortedBy("name")
}

export const connectedAppsV1 = describeGroup(
  ConnectedAppsV1,
  `Connected apps. ${pages}`,
  endpoints({
    object: "login_policy",
    name: "connected app",
    handler: "`login_handler` is required.",
    creation: { login_policy: newApp },
    change: { login_policy: changes }
  }),
  parameters
)

export const connectedAppsV2 = describeGroup(
  ConnectedAppsV2,
  pages,
  endpoints({
    object: "client_app",
    name: "client app",
    handler: "`login_handler` is optional.",
    creation: { client_app: newApp },
    change: { client_app: changes }
  }),
  parameters
)
