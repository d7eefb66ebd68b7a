import { appleCredentials } from "../external/WellKnownProviders.ts"
import { addDomain, verifiedDomain, verify } from "../support/domains.ts"
import { consoleRealm } from "./ConsoleVisit.ts"
import { browserService } from "./Service.ts"

const furnish = async () => {
  const { advance, dns, postbox } = await browserService()
  const { realm, at } = await consoleRealm({
    name: "Harbor",
    jwt_algo: "rs256",
    jwt_scopes: ["ar.orgs"],
    resource_links: [
      { resource: "user", title: "Billing", url: "https://billing.example.test/{{id}}" },
      { resource: "org", title: "Ledger", url: "https://ledger.example.test/{{id}}" }
    ],
    roles: [{ name: "Editor", permissions: ["notes:write"] }]
  })
  const org = await realm.org({ name: "Analytical Engines", reference: "acc-1815", custom: { plan: "pro" } })
  const user = await realm.user({
    first_name: "Ada",
    last_name: "Lovelace",
    username: "ada",
    password: "correct horse battery staple",
    custom: { plan: "pro" }
  })
  await realm.membership(user.id, org.id, { permissions: ["ar:owner"] })
  await realm.session(user.id)
  const device = { user_id: user.id, credential_type: "totp", name: "Phone" }
  const added = await realm.post("/v2/credentials", { credential: device })
  if (added.status !== 201) throw new Error("The authenticator app could not be added.")
  const { domain } = await verifiedDomain(realm, dns, { name: "engines.example.com", org_id: org.id })
  dns.set(domain.string("txt", "name"), ["v=spf1 -all"])
  for (const { id } of [domain, await addDomain(realm, org.id, "analytical.example.com")]) await verify(realm, id)
  await realm.invitation({ org_id: org.id, email: "grace@example.test" })
  const app = await realm.connectedApp({ name: "Notebook" })
  const client = await realm.post("/v2/client_apps", {
    client_app: { name: "Grafana", client_type: "web", redirect_uris: ["https://grafana.example.test/login"] }
  })
  const provider = await realm.authProvider()
  const apple = await realm.authProvider({ provider_type: "apple", ...appleCredentials })
  const microsoft = await realm.authProvider({ provider_type: "microsoft" })
  const oidc = await realm.authProvider({ provider_type: "oidc", issuer: "https://sso.example.test" })
  const hook = await realm.post("/v2/hooks", {
    hook: { realm_id: realm.id, destination: "http://127.0.0.1:9/hook", event_type: [] }
  })
  const mail = await realm.post("/v2/hooks", {
    hook: {
      realm_id: realm.id,
      hook_type: "email",
      event_type: ["user.created"],
      email_subject: "Welcome, {{first_name}}",
      email_template: "Hello {{full_name}}!"
    }
  })
  await realm.user({ first_name: "Grace", last_name: "Hopper" })
  await advance("1 minute")
  postbox.take("grace@example.test")
  const events = await realm.get("/v2/events?direction=desc&max_results=1")
  return {
    realm,
    at,
    /** The path of each page of the realm, by name. */
    pages: {
      Overview: "",
      Users: "/users",
      "New user": "/users/new",
      Import: "/users/import",
      User: `/users/${user.id}`,
      Orgs: "/orgs",
      "New org": "/orgs/new",
      Org: `/orgs/${org.id}`,
      Invitations: "/invitations",
      "New invitation": "/invitations/new",
      Apps: "/apps",
      "New app": "/apps/new",
      App: `/apps/${app.id}`,
      "App look": `/apps/${app.id}/appearance`,
      Clients: "/clients",
      "New client": "/clients/new",
      Client: `/clients/${client.id}`,
      "Client settings": `/clients/${client.id}/settings`,
      "Client grants": `/clients/${client.id}/grants`,
      Providers: "/providers",
      "New provider": "/providers/new",
      Provider: `/providers/${provider.id}`,
      "Apple provider": `/providers/${apple.id}`,
      "Microsoft provider": `/providers/${microsoft.id}`,
      "OpenID provider": `/providers/${oidc.id}`,
      Events: "/events",
      Event: `/events/${events.string("collection", 0, "id")}`,
      Hooks: "/hooks",
      "New hook": "/hooks/new",
      Hook: `/hooks/${hook.id}`,
      Mails: "/mails",
      "New mail": "/mails/new",
      Mail: `/mails/${mail.id}`,
      Settings: "/settings",
      Limits: "/limits",
      "JWT keys": "/jwt-keys",
      "API keys": "/api-keys",
      Mailbox: "/mailbox",
      Clock: "/clock"
    }
  }
}

let furnishing: ReturnType<typeof furnish> | undefined

/** A realm with data on every page of the console, shared by all tests of a worker, which must not change it. */
export const furnishedRealm = (): ReturnType<typeof furnish> => (furnishing ??= furnish())
