import { Api } from "#testing/Api"
import type { Receiver } from "./Receiver.ts"

/** Creates a realm with users for the writers and a webhook that sends every event to the receiver. */
export const makeWriterRealm = async (
  port: number,
  rootKey: string,
  receiver: Receiver,
  count: { readonly writers: number; readonly users: number }
) => {
  const root = new Api(`http://127.0.0.1:${port}`, rootKey)
  const realm = await root.post("/v2/realms", { realm: { name: "Chaos", jwt_algo: "hs256" } })
  const key = await root.post("/v2/api_keys", { api_key: { name: "chaos", level: "write", realm_id: realm.id } })
  const api = new Api(root.url, rootKey, realm.id)
  const users: Array<Array<string>> = []
  for (let writer = 0; writer < count.writers; writer++) {
    const made = await Promise.all(
      Array.from({ length: count.users }, (_, n) =>
        api.post("/v2/users", { user: { email: `w${writer}-${n}@example.test`, credentials: [] } })
      )
    )
    users.push(made.map(({ id }) => id))
  }
  const hook = await root.post("/v2/hooks", {
    hook: { hook_type: "webhook", realm_id: realm.id, destination: receiver.url }
  })
  return { realmId: realm.id, hookId: hook.id, key: key.string("key"), users }
}
