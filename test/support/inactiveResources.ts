import type { GivenRealm } from "#testing/Given"
import { kindOf, type ValidCall } from "./calls.ts"
import { type Operation, operations } from "./operations.ts"

/**
 * A kind of resource that can be inactive: the prefix of its ids, where its state is set, and the members that name
 * one.
 */
export interface Kind {
  readonly name: string
  /** The prefix of the resource's IDs, or undefined if every realm has exactly one. */
  readonly prefix: string | undefined
  readonly path: string
  readonly wrapper: string
  /** The suffixes of members that name such a resource, for example `org_id`. */
  readonly naming: ReadonlyArray<string>
  /** The resources (or groups of operations) of this kind or belonging to it. */
  readonly resources: ReadonlyArray<string>
}

const ofRealm = { path: "/v2/auth_providers", wrapper: "auth_provider", naming: [] }

/** The six kinds of SEC-55, including the four providers that every realm has. */
export const kinds: ReadonlyArray<Kind> = [
  { name: "realm", prefix: undefined, path: "/v2/realms", wrapper: "realm", naming: [], resources: [] },
  {
    name: "user",
    prefix: "usr_",
    path: "/v2/users",
    wrapper: "user",
    naming: ["user_id"],
    resources: ["users", "sessions", "memberships", "credentials", "external_authentication"]
  },
  {
    name: "org",
    prefix: "org_",
    path: "/v2/orgs",
    wrapper: "org",
    naming: ["org_id"],
    resources: ["orgs", "memberships", "invitations"]
  },
  {
    name: "hook",
    prefix: "hk_",
    path: "/v2/hooks",
    wrapper: "hook",
    naming: ["hook_id"],
    resources: ["hooks", "events"]
  },
  {
    name: "auth provider",
    prefix: "ap_",
    path: "/v2/auth_providers",
    wrapper: "auth_provider",
    naming: ["auth_provider_id"],
    resources: ["auth_providers", "external_authentication"]
  },
  {
    name: "connected app",
    prefix: "lpl_",
    path: "/v2/client_apps",
    wrapper: "client_app",
    naming: ["client_app_id", "login_policy_id"],
    resources: ["client_apps", "login_policies"]
  },
  { name: "password provider", prefix: undefined, ...ofRealm, resources: ["logins", "credentials"] },
  { name: "totp provider", prefix: undefined, ...ofRealm, resources: ["logins", "credentials"] },
  { name: "passkey provider", prefix: undefined, ...ofRealm, resources: ["logins"] },
  { name: "email_code provider", prefix: undefined, ...ofRealm, resources: ["logins"] }
]

/** Returns whether an operation can affect a resource of a kind, by its definition. Every operation affects its realm. */
const touches = ({ name, naming, resources }: Kind, operation: Operation): boolean =>
  name === "realm" ||
  [operation.resource, operation.name.split(/[. ]/)[1] ?? ""].some((about) => resources.includes(about)) ||
  [...operation.members, ...operation.query].some((member) => naming.includes(kindOf(member) ?? ""))

/** The operations to try on an inactive resource of a kind. */
export const affectingOperations = (kind: Kind): ReadonlyArray<Operation> =>
  operations.filter((operation) => touches(kind, operation))

/** Sets the state of a resource. */
export const setState = async (
  realm: GivenRealm,
  { path, wrapper }: Kind,
  id: string,
  state: string
): Promise<void> => {
  const reply = await realm.put(`${path}/${id}`, { [wrapper]: { state } })
  if (reply.status !== 200) throw new Error(`A preparation failed: ${reply.status} ${reply.text}`)
}

/** The id of the resource of a kind that every realm has. */
export const defaultResource = async (realm: GivenRealm, { name }: Kind): Promise<string> =>
  name === "realm" ? realm.id : (await realm.get(`/v2/auth_providers/${name.replace(" provider", "")}`)).id

/** The ids of a kind's resources that a call affects. */
export const resourcesIn = ({ about }: ValidCall, { prefix }: Kind): ReadonlyArray<string> =>
  prefix === undefined ? [] : [...new Set(about.match(new RegExp(`(?<![a-z])${prefix}[0-9a-z]{26}(?![0-9a-z])`, "g")))]
