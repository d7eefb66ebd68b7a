import { type GivenRealm, unique } from "#testing/Given"
import { lists, type Operation, operationNamed } from "./operations.ts"

type Attributes = Readonly<Record<string, unknown>>

/** One body per wrapper, good for every operation that takes it: the only sample data of the generated tests. */
const samples: Readonly<Record<string, (realm: GivenRealm) => Promise<Attributes>>> = {
  realm: async () => ({ name: unique("Realm"), jwt_algo: "hs256" }),
  user: async () => ({ email: `${unique("user")}@example.test`, credentials: [] }),
  org: async () => ({ name: unique("Org") }),
  membership: async (realm) => ({ user_id: (await realm.user()).id, org_id: (await realm.org()).id, permissions: [] }),
  session: async (realm) => ({ user_id: (await realm.user()).id }),
  api_key: async (realm) => ({ name: unique("Key"), level: "read", realm_id: realm.id })
}

/** A body that an operation accepts in a realm; undefined where it takes none. */
export const bodyOf = async ({ method, wrapper, name }: Operation, realm: GivenRealm) => {
  if (wrapper === undefined) return method === "POST" || method === "PUT" ? {} : undefined
  const sample = samples[wrapper]
  if (sample === undefined) throw new Error(`${name}: give test/support/things.ts a body for "${wrapper}"`)
  return { [wrapper]: await sample(realm) }
}

/** The id of a fresh thing of the resource that an operation is about, in a realm. */
export const thingFor = async ({ version, resource, name }: Operation, realm: GivenRealm): Promise<string> => {
  if (resource === "realms") return realm.id
  const create = operationNamed(`${version}.${resource} create`)
  if (create !== undefined) {
    const made = await realm.post(create.template, await bodyOf(create, realm))
    if (made.status !== 201) throw new Error(`${create.name}: ${made.status} ${made.text}`)
    return made.id
  }
  const [first] = (await realm.get(`/${version}/${resource}`)).items
  if (typeof first?.["id"] === "string") return first["id"]
  throw new Error(`${name}: the realm holds none`)
}

/** An id of the same kind that nothing has. */
export const strangerTo = (id: string): string => `${id.slice(0, -8)}zzzzzzzz`

/** What a filter has to say before a list answers at all. */
export const filterOf = async ({ resource }: Operation, realm: GivenRealm): Promise<string> =>
  resource === "memberships" ? `user_id=${(await realm.user()).id}&` : ""

/** Everything that a realm's lists tell, to see that nothing changed; when keys were used is no change. */
export const snapshotOf = async (realm: GivenRealm): Promise<unknown> => {
  const pages = new Map<string, unknown>()
  for (const list of lists.filter(({ version }) => version === "v2")) {
    const ofRealm = list.resource === "realms" ? `/${realm.id}` : "?max_results=1000"
    const reply = await realm.get(list.template + ofRealm)
    pages.set(
      list.name,
      JSON.parse(reply.text, (name, value: unknown) => (isPassing(name) ? undefined : value))
    )
  }
  const users = (await realm.get("/v2/users?max_results=1000")).items
  for (const { id } of users) pages.set(`user ${id}`, (await realm.get(`/v2/users/${id}?expand=memberships`)).body)
  return Object.fromEntries(pages)
}

const isPassing = (name: string) => name === "request_id" || name === "last_used_at"
