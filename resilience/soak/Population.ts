import { Api } from "#testing/Api"

/** The password of every user. */
export const PASSWORD = "correct horse battery staple"

const USERS = 400
const ORGS = 40

/** The number of users created concurrently. */
const AT_ONCE = 4

/** The users and orgs of a realm. Their number doesn't change. */
export interface Population {
  readonly realmId: string
  /** A key of the realm with read and write permissions. */
  readonly key: string
  readonly users: ReadonlyArray<string>
  readonly orgs: ReadonlyArray<string>
}

/** Creates a realm with users and orgs, a webhook for all events, and a hook that sends an email to changed users. */
export const makePopulation = async (port: number, rootKey: string, destination: string): Promise<Population> => {
  const root = new Api(`http://127.0.0.1:${port}`, rootKey)
  const realm = await root.post("/v2/realms", { realm: { name: "Soak" } })
  const api = new Api(root.url, rootKey, realm.id)
  const users: Array<string> = []
  while (users.length < USERS) {
    const emails = Array.from({ length: AT_ONCE }, (_, n) => `user${users.length + n}@example.test`)
    const made = emails.map((email) => api.post("/v2/users", { user: { email, password: PASSWORD } }))
    users.push(...(await Promise.all(made)).map(({ id }) => id))
  }
  const made = Array.from({ length: ORGS }, (_, n) => api.post("/v2/orgs", { org: { name: `Org ${n}` } }))
  const orgs = (await Promise.all(made)).map(({ id }) => id)
  const hook = { realm_id: realm.id, hook_type: "webhook", destination }
  const mail = { hook_type: "email", event_type: ["user.updated"], email_subject: "Changed", email_template: "Hello." }
  for (const each of [hook, { realm_id: realm.id, ...mail }]) {
    const { status, text } = await root.post("/v2/hooks", { hook: each })
    if (status !== 201) throw new Error(`The hook could not be created: ${status} ${text}`)
  }
  const key = await root.post("/v2/api_keys", { api_key: { name: "soak", level: "write", realm_id: realm.id } })
  return { realmId: realm.id, key: key.string("key"), users, orgs }
}
