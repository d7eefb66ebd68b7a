import { Api } from "#testing/Api"
import type { Started } from "#testing/promise"

/** A realm of the kit's service, and a caller in it. */
export const realmOf = async ({ url, key }: Started, name: string) => {
  const realm = await new Api(url, key).post("/v2/realms", { realm: { name, jwt_algo: "hs256" } })
  return { realm, api: new Api(url, key, realm.id) }
}
