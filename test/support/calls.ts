import type { Reply } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { newApiUser, newCredential } from "./credentials.ts"
import { ACCESS_TOKEN, oauth2StandIn, profile, stateFor, submitCallback } from "./external.ts"
import { authenticate, enrolled, OTHER_PASSWORD, PASSWORD } from "./logins.ts"
import { type Operation, operationNamed, pathOf, requiredQuery } from "./operations.ts"
import { readyPasskey } from "./passkeys.ts"
import { quickUser } from "./passwordEntryPoints.ts"
import { bodyOf, filterOf, resourceFor } from "./resources.ts"
import { emailToken, passwordToken } from "./tokens.ts"

/** A call that succeeds, with the IDs of the resources it affects, joined into one text. */
export interface ValidCall {
  readonly method: string
  readonly path: string
  readonly body: unknown
  readonly about: string
}

interface Proof {
  /** The id in the path, if the path has one. */
  readonly thing?: string
  readonly body: unknown
  readonly about: string
}

/** An external provider and a user who has already logged in with it. */
const known = async (realm: GivenRealm) => {
  const { provider } = await oauth2StandIn(realm, profile())
  const first = await submitCallback(realm, { state: await stateFor(realm, provider.id) })
  return { provider, about: `${provider.id} ${first.string("user_id")}` }
}

const byCode = async (realm: GivenRealm): Promise<Proof> => {
  const { provider, about } = await known(realm)
  return { body: { code: "a-code", state: await stateFor(realm, provider.id) }, about }
}

const byToken = async (realm: GivenRealm): Promise<Proof> => {
  const { provider, about } = await known(realm)
  return { thing: provider.id, body: { access_token: ACCESS_TOKEN }, about }
}

const withPage = async (realm: GivenRealm): Promise<Proof> => ({ body: {}, about: (await realm.connectedApp()).id })

const byPasskey = async (realm: GivenRealm): Promise<Proof> => {
  const { id, attributes } = await readyPasskey(realm)
  return { body: { user: attributes }, about: id }
}

/** Calls that identify the user by a proof rather than by the path. */
const proofs: Readonly<Record<string, (realm: GivenRealm) => Promise<Proof>>> = {
  "v1.logins authenticate_key": async (realm) => {
    const { id } = await newApiUser(realm)
    const key = await newCredential(realm, id, { credential_type: "api_key" })
    return { body: { api_key: key.string("api_key") }, about: id }
  },
  "v2.logins authenticate_token": async (realm) => {
    const { id } = await quickUser(realm)
    const device = await enrolled(realm, id)
    const token = (await authenticate(realm, id, PASSWORD)).string("token")
    return { body: { user: { token, code: device.code() } }, about: id }
  },
  "v1.logins passkey_login_options": withPage,
  "v2.logins passkey_login_options": withPage,
  "v1.logins authenticate_passkey": byPasskey,
  "v2.logins authenticate_passkey": byPasskey,
  "v2.logins reset_password_with_token": async (realm) => {
    const { id } = await quickUser(realm)
    return { body: { user: { token: await passwordToken(realm, id), password: OTHER_PASSWORD } }, about: id }
  },
  "v2.logins verify_email": async (realm) => {
    const { id } = await realm.user()
    return { body: { user: { token: await emailToken(realm, id) } }, about: id }
  },
  "v1.external_authentication authenticate": byCode,
  "v2.external_authentication authenticate": byCode,
  "v1.external_authentication authenticate_token": byToken,
  "v2.external_authentication authenticate_token": byToken
}

/** Bodies that name a resource, for members that only some bodies have. */
const bodiesNaming: Readonly<Record<string, (realm: GivenRealm) => Promise<unknown>>> = {
  "credentials create auth_provider_id": async (realm) => ({
    credential: { user_id: (await realm.user()).id, credential_type: "oauth2", provider_user_id: uniqueText("sub") }
  })
}

/** Reads the resource in a path. */
const readOf = async ({ version, resource }: Operation, realm: GivenRealm, thing: string): Promise<string> => {
  const get = operationNamed(`${version}.${resource} get`)
  return get === undefined ? "" : (await realm.get(pathOf(get, () => thing))).text
}

const made = (reply: Reply): string => {
  if (reply.status !== 201) throw new Error(`A preparation failed: ${reply.status} ${reply.text}`)
  return reply.id
}

/** Creates resources for members and parameters, by the end of their names. */
export const namedResources: Readonly<Record<string, (realm: GivenRealm) => Promise<string>>> = {
  user_id: async (realm) => made(await realm.user()),
  org_id: async (realm) => made(await realm.org()),
  auth_provider_id: async (realm) => made(await realm.authProvider()),
  hook_id: async (realm) => {
    const hook = { realm_id: realm.id, event_type: [], destination: `https://${uniqueText("hook")}.example.test/` }
    return made(await realm.post("/v2/hooks", { hook }))
  },
  client_app_id: async (realm) => made(await realm.connectedApp()),
  login_policy_id: async (realm) => made(await realm.connectedApp())
}

/** The kind of resource that a member or parameter names, or undefined if it names none. */
export const kindOf = (member: string): string | undefined =>
  Object.keys(namedResources).find((end) => member.replace(/s$/, "").replace("app_hook", "hook").endsWith(end))

/** Adds a resource to the call for each member and parameter that can name one of these kinds. */
const naming = async (operation: Operation, realm: GivenRealm, kinds: ReadonlyArray<string>, call: Proof) => {
  const { wrapper = "", members, query } = operation
  const mine = (name: string) => kinds.find((kind) => kindOf(name) === kind)
  const [filled, asked]: [Record<string, unknown>, Array<string>] = [{}, []]
  for (const member of operation.method === "GET" ? [] : members) {
    const given = Object(Object(call.body)[wrapper])[member]
    const id =
      given === undefined && mine(member) !== undefined ? await namedResources[mine(member) ?? ""]?.(realm) : undefined
    if (id !== undefined) filled[member] = member.endsWith("s") ? [id] : id
  }
  for (const name of query) {
    const id = mine(name) === undefined ? undefined : await namedResources[mine(name) ?? ""]?.(realm)
    if (id !== undefined) asked.push(`${name}=${id}`)
  }
  const inner =
    wrapper === "" ? call.body : { ...Object(call.body), [wrapper]: { ...Object(call.body)[wrapper], ...filled } }
  return { body: Object.keys(filled).length === 0 ? call.body : inner, asked }
}

/** The query that expands everything an operation can include. */
export const expansion = ({ query, name, operation }: Operation): string => {
  if (!query.includes("expand")) return ""
  if (name === "v2.events list" || name === "v2.events get") return "expand=notifications"
  if (operation === "list" || name === "v2.realms get") return "expand=custom"
  return name === "v1.sessions get" ? "expand=memberships,token" : "expand=memberships"
}

/** A valid call of an operation, in which every member and parameter for a resource of these kinds names one. */
export const validCall = async (
  operation: Operation,
  realm: GivenRealm,
  kinds: ReadonlyArray<string> = []
): Promise<ValidCall> => {
  const prove = proofs[operation.name]
  const thing = prove === undefined && operation.params.length > 0 ? await resourceFor(operation, realm) : undefined
  const proof =
    prove === undefined
      ? {
          body: await (bodiesNaming[`${operation.resource} ${operation.operation} ${kinds[0]}`]?.(realm) ??
            bodyOf(operation, realm, thing)),
          about:
            thing === undefined ? "" : `${thing} ${kinds.length === 0 ? "" : await readOf(operation, realm, thing)}`
        }
      : await prove(realm)
  const { body, asked } = await naming(operation, realm, kinds, proof)
  const needed = requiredQuery(operation).slice(1)
  const filter =
    asked.length === 0 && operation.operation === "list" ? (await filterOf(operation, realm)).slice(0, -1) : ""
  const query = [needed, filter, ...asked].filter((part) => part !== "").join("&")
  const path = pathOf(operation, () => proof.thing ?? thing ?? "") + (query === "" ? "" : `?${query}`)
  return { method: operation.method, path, body, about: `${proof.about} ${path} ${JSON.stringify(body ?? "")}` }
}
