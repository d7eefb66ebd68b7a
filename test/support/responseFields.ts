import { allows, type Level, levels } from "#domain/Level"
import type { Api, Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { expansion, type ValidCall, validCall } from "./calls.ts"
import { newApiUser, newCredential, newDevice } from "./credentials.ts"
import { latest, webhook } from "./hooks.ts"
import { createKey } from "./jwtKeys.ts"
import { enrolled } from "./logins.ts"
import { oauthClient } from "./oauth.ts"
import { storedConsent, storedGrant } from "./oauthGrants.ts"
import { type Operation, pathOf } from "./operations.ts"
import { enrolPasskey } from "./passkeys.ts"
import { quickUser } from "./passwordEntryPoints.ts"
import { workerSql } from "./sallyport.ts"

/** The way in which a response shows a member. */
export type Visibility = "shown" | "null" | "empty"

/** The members of a response by their paths, such as `collection[].memberships[].org.name`. */
export type VisibleMembers = ReadonlyMap<string, Visibility>

/** Members with arbitrary content, or whose value depends on timing. */
const opaque = ["custom", "last_used_at"]

const collect = (members: Map<string, Visibility>, way: string, value: unknown): void => {
  const now = value === null ? "null" : Array.isArray(value) && value.length === 0 ? "empty" : "shown"
  const isOpaque = opaque.some((name) => way.endsWith(name))
  // If there are several items, a member counts as shown if one item shows it.
  if (way !== "" && members.get(way) !== "shown") members.set(way, isOpaque ? "shown" : now)
  if (isOpaque || typeof value !== "object" || value === null) return
  if (Array.isArray(value)) for (const item of value) collect(members, `${way}[]`, item)
  else for (const [name, inner] of Object.entries(value)) collect(members, way === "" ? name : `${way}.${name}`, inner)
}

/** The members of a response. */
export const visibleMembersIn = (reply: Reply): VisibleMembers => {
  const members = new Map<string, Visibility>()
  if (reply.text !== "") collect(members, "", reply.body)
  for (const way of [...members.keys()].filter((one) => one.endsWith("[]"))) members.delete(way)
  return members
}

interface Prepared extends Pick<ValidCall, "method" | "path" | "body"> {
  readonly realm: GivenRealm
}

/** A call, and the special feature of its resource. */
export interface Variant {
  readonly about: string
  readonly prepare: () => Promise<Prepared>
}

type Resources = Readonly<Record<string, ReadonlyArray<readonly [about: string, thing: string, realm?: GivenRealm]>>>

/** A realm with one resource of each kind with its own members, and the resources to read. */
export const fullRealm = async (realm: GivenRealm, rs256: GivenRealm): Promise<Resources> => {
  await realm.put(`/v2/realms/${realm.id}`, { realm: { reference: realm.id } })
  const human = await quickUser(realm, { username: "ada", first_name: "Ada", last_name: "Lovelace", locale: "en" })
  const robot = await newApiUser(realm)
  const org = await realm.org({ reference: "acme" })
  const membership = await realm.membership(human.id, org.id, { permissions: ["reader"] })
  const github = { provider_type: "github", client_id: "id", client_secret: CANARY }
  const provider = (await realm.post("/v2/auth_providers", { auth_provider: github })).id
  const profile = { credential_type: "github", provider_user_id: "42", access_token: "of-github" }
  const device = await enrolled(realm, human.id)
  const invitation = await realm.invitation({ org_id: org.id, inviting_user_id: human.id })
  await realm.post(`/v2/invitations/${invitation.id}/invite`, {})
  const invited = await latest(realm, "invitation.org.invited")
  const hook = await webhook(realm)
  await realm.org()
  const latestEvent = await latest(realm, "org.created")
  const secret = await createKey(realm, { algo: "hs256" })
  const rsa = (await rs256.get("/v2/jwt_keys")).items[0]
  const [email] = (await realm.get("/v2/hooks?hook_type=email&max_results=1")).items
  const app = await realm.connectedApp({
    redirect_uris: ["https://app.example.test/back"],
    logout_uris: ["https://app.example.test/bye"],
    header: "<p>Hello</p>"
  })
  const client = (await oauthClient(realm)).id
  const passkey = await enrolPasskey(realm, human.id)
  const codes = await newCredential(realm, human.id, { credential_type: "recovery_codes" })
  const session = await realm.session(human.id)
  const sql = await workerSql()
  const grant = await storedGrant(sql, realm, client, human.id, { sid: session.id })
  const consent = await storedConsent(sql, realm, client, human.id)
  return {
    // The worker's other realms don't matter here.
    "realms list": [["", `reference=${realm.id}`]],
    "memberships list": [["", `user_id=${human.id}`]],
    orgs: [["", org.id]],
    sessions: [["", session.id]],
    grants: [["", grant]],
    consents: [["", consent]],
    client_apps: [["", app.id]],
    login_policies: [["", app.id]],
    "client_apps rotateSecret": [["", client]],
    "login_policies rotateSecret": [["", client]],
    users: [
      ["a human", human.id],
      ["an API user", robot.id]
    ],
    memberships: [["", membership.id]],
    credentials: [
      ["a password", (await realm.get(`/v2/users/${human.id}`)).string("credentials", 0, "id")],
      ["a new device", (await newDevice(realm, human.id)).id],
      ["a device", device.id],
      ["a passkey", passkey.id],
      ["recovery codes", codes.id],
      ["a profile elsewhere", (await newCredential(realm, human.id, profile)).id],
      ["an API key", (await newCredential(realm, robot.id, { credential_type: "api_key" })).id]
    ],
    domains: [["", (await realm.post("/v2/domains", { domain: { org_id: org.id, domain: "example.com" } })).id]],
    invitations: [["", invitation.id]],
    hooks: [
      ["a webhook", hook.id],
      ["a default one", String(email?.["id"])]
    ],
    realms: [
      ["with hs256", realm.id],
      ["with rs256", rs256.id, rs256]
    ],
    jwt_keys: [
      ["hs256", secret.id],
      ["rs256", String(rsa?.["id"]), rs256]
    ],
    auth_providers: [
      ["elsewhere", provider],
      ["password", "password"]
    ],
    events: [
      ["with a token", invited.eventId],
      ["with a notification", latestEvent.eventId]
    ]
  }
}

/** A secret that no response may contain. */
export const CANARY = "canary-of-a-client-secret"

const expanded = (operation: Operation, path: string) => {
  const query = expansion(operation)
  return query === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${query}`
}

/** The calls to compare for an operation. Calls that change a realm use a separate one. */
export const variantsOf = (
  operation: Operation,
  realm: GivenRealm,
  things: Resources,
  another: () => Promise<GivenRealm>
): ReadonlyArray<Variant> => {
  const filters = operation.operation === "list" ? things[`${operation.resource} list`] : undefined
  const known = operation.operation === "get" ? things[operation.resource] : filters
  const isDoneToRealm = operation.resource === "realms" && operation.params.length > 0
  const prepare = async () => {
    const where = isDoneToRealm ? await another() : realm
    const call = await validCall(operation, where)
    return { ...call, realm: where, path: expanded(operation, call.path) }
  }
  if (known === undefined) return [{ about: "", prepare }]
  return known.map(([about, thing, where = realm]) => {
    const path = expanded(
      operation,
      filters === undefined ? pathOf(operation, () => thing) : `${operation.template}?${thing}`
    )
    return { about, prepare: async () => ({ method: "GET", path, body: undefined, realm: where }) }
  })
}

/** The members that each level sees in the responses to a call, and the responses' texts. */
export const visibleByLevel = async (least: Level, { prepare }: Variant) => {
  let call = await prepare()
  const byLevel: Array<readonly [Level, VisibleMembers]> = []
  const texts: Array<string> = []
  for (const level of levels.filter((one) => allows(one, least))) {
    const ask = async ({ realm, method, path, body }: Prepared) => {
      const api: Api = level === "admin_all_realms" ? realm : await realm.as(level)
      return api.call(method, path, { body })
    }
    let reply = await ask(call)
    // Used-up resources are prepared again.
    if (reply.status >= 300) {
      call = await prepare()
      reply = await ask(call)
    }
    if (reply.status >= 300) throw new Error(`${call.method} ${call.path} by ${level}: ${reply.status} ${reply.text}`)
    texts.push(reply.text)
    byLevel.push([level, visibleMembersIn(reply)])
  }
  return { byLevel, texts }
}

/** The level from which a member is shown, and how it appears below that level. */
const lineOf = (way: string, byLevel: ReadonlyArray<readonly [Level, VisibleMembers]>): string => {
  const visibilities = byLevel.map(([, members]) => members.get(way) ?? "absent")
  const first = visibilities.indexOf("shown")
  const [below, above] = [new Set(visibilities.slice(0, first)), new Set(visibilities.slice(first))]
  if (first > 0 && below.size === 1 && above.size === 1)
    return `- ${way}: from ${byLevel[first]?.[0]}, ${[...below][0]} below`
  return `- ${way}: ${byLevel.map(([level], n) => `${level} ${visibilities[n]}`).join(", ")}`
}

/** The members that each level sees, as a chapter of the snapshot. */
export const chapterOf = (title: string, byLevel: ReadonlyArray<readonly [Level, VisibleMembers]>): string => {
  const ways = [...new Set(byLevel.flatMap(([, members]) => [...members.keys()]))].toSorted()
  const alike = (visibility: Visibility) =>
    ways.filter((way) => byLevel.every(([, members]) => members.get(way) === visibility))
  const [shown, none, empty] = [alike("shown"), alike("null"), alike("empty")]
  const rest = ways.filter((way) => ![...shown, ...none, ...empty].includes(way))
  return [
    `## ${title}`,
    "",
    ways.length === 0 ? "- nothing" : `- shown: ${shown.join(", ")}`,
    ...(none.length === 0 ? [] : [`- null: ${none.join(", ")}`]),
    ...(empty.length === 0 ? [] : [`- empty: ${empty.join(", ")}`]),
    ...rest.map((way) => lineOf(way, byLevel)),
    ""
  ].join("\n")
}
