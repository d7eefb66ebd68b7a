import { documentGroup, maxResults, page, sortedBy } from "../GroupDocs.ts"
import { user } from "../memberships/Samples.ts"
import { ConnectedAppsV1, ConnectedAppsV2 } from "./Endpoints.ts"

const pages =
  "The hosted login pages of a realm, with their hosts, their appearance and the URLs they redirect to, and the realm's OAuth clients: apps that people log in to with OpenID Connect, and programs that call APIs on their own behalf."

const create =
  "Sets the hosts, the appearance and the redirects of a realm's hosted login pages. `subdomain` is unique across all realms, and is derived from the name by default. URLs must be https, or http on the browser's own machine; `redirect_uris` and `logout_uris` can also use an app's own scheme, such as `com.example.app:/path`. With a `client_type` other than `standard`, the app is an OAuth client without pages: its ID is the `client_id`, and `client_secret` is only shown in this response. The first OAuth client of a realm adds an RS256 key, with the event `realm.updated`. Event: `login_policy.created`."

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
  client_type: "standard",
  subdomain: "acme",
  domains: ["acme.eu.id.example.com"],
  login_url: "https://acme.eu.id.example.com/login"
}

/** The members of a sample OAuth client that replace the page settings. */
const oauthApp = {
  name: "Grafana",
  client_type: "web",
  subdomain: null,
  domains: [],
  login_url: null,
  login_handler: null,
  redirect_uris: ["https://grafana.example.com/login/generic_oauth"],
  logout_uris: [],
  signup_mode: "none",
  require_names: false,
  allow_jsonp: false,
  auto_continue: false,
  allow_invitations: false,
  appearance: {
    name: null,
    logo_url: null,
    dark_logo_url: null,
    color: null,
    dark_color: null,
    background: null,
    dark_background: null,
    font: null,
    radius: null,
    layout: null,
    email_logo_url: null,
    dark_email_logo_url: null
  },
  grant_types: ["authorization_code", "refresh_token"],
  token_endpoint_auth_method: "client_secret_basic",
  allowed_scopes: ["openid", "profile", "email", "offline_access", "orgs"],
  consent: "skip",
  id_token_claims: "scopes",
  require_pkce: true,
  require_par: false,
  require_dpop: false,
  access_token_minutes: 60,
  refresh_token_days: 30
} as const

const brandSample = {
  object: "brand",
  appearance: {
    name: "Acme",
    logo: `data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAyIDIiPjxjaXJjbGUgY3g9IjEiIGN5PSIxIiByPSIxIi8+PC9zdmc+`,
    dark_logo: null,
    color: "#0b3d91",
    dark_color: null,
    background: "#eef3fb",
    dark_background: null,
    font: "humanist",
    radius: "large",
    layout: null,
    email_logo: null,
    dark_email_logo: null
  },
  header: null,
  footer: "<p>Acme Inc.</p>",
  external_css: null
} as const

/** The names and request examples that differ between the versions. */
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
      dark_color: null,
      background: "#eef3fb",
      dark_background: null,
      font: "humanist",
      radius: "large",
      layout: null,
      email_logo_url: null,
      dark_email_logo_url: null
    },
    post_logout_redirect_uris: [],
    backchannel_logout_uri: null,
    client_uri: null,
    initiate_login_uri: null,
    grant_types: [],
    token_endpoint_auth_method: null,
    jwks: null,
    jwks_uri: null,
    allowed_scopes: [],
    resources: [],
    consent: null,
    id_token_claims: null,
    require_pkce: null,
    require_par: null,
    require_dpop: null,
    access_token_minutes: null,
    refresh_token_days: null,
    login_app_id: null,
    client_id: null,
    registration: null,
    created_at: 1_795_238_591.95
  }
  return {
    list: { summary: `List ${name}s`, response: page(item) },
    get: { summary: `Get a ${name}`, response: read },
    create: { summary: `Create a ${name}`, description: `${create} ${handler}`, request: creation, response: read },
    update: {
      summary: `Update a ${name}`,
      description:
        "Changes only the members you send. A new `subdomain` takes effect immediately. Event: `login_policy.updated`.",
      request: change,
      response: read
    },
    rotateSecret: {
      summary: "Rotate an OAuth client's secret",
      description:
        "The response contains the new `client_secret`, which is never shown again. The previous secret works for another 24 hours; older secrets stop working. Event: `oauth.client_secret.rotated`.",
      request: {},
      response: { ...read, ...oauthApp, client_secret: "ocs_4Zq8vT1mY6xKd0RfJ2wLh9sNcB5gPuE7aQoXtViM3yH" }
    },
    delete: {
      summary: `Delete a ${name}`,
      description:
        "Also deletes the app's domains, which become available to other apps. Event: `login_policy.deleted`."
    }
  } as const
}

const parameters = {
  max_results: maxResults(100),
  sort: sortedBy("name")
}

export const connectedAppsV1 = documentGroup(
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

export const connectedAppsV2 = documentGroup(
  ConnectedAppsV2,
  pages,
  {
    ...endpoints({
      object: "client_app",
      name: "client app",
      handler: "`login_handler` is optional.",
      creation: { client_app: newApp },
      change: { client_app: changes }
    }),
    brand: {
      summary: "Get a client app's brand",
      description:
        "Returns the appearance of an app's pages and emails in the form in which an update takes it, with the logos as data URLs. Send it as `client_app` to update another app, in this or another realm.",
      response: brandSample
    }
  },
  parameters
)
