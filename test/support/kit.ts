import { Api } from "#testing/Api"
import { type Started, start } from "#testing/promise"
import { freshDatabase, withPlainUrl } from "./databases.ts"

/** A realm of the kit's service, and a caller for it. */
export const realmOf = async ({ url, key }: Started, name: string) => {
  const realm = await new Api(url, key).post("/v2/realms", { realm: { name, jwt_algo: "hs256" } })
  return { realm, api: new Api(url, key, realm.id) }
}

const begin = async (): Promise<Started> => {
  return start({ database: withPlainUrl(await freshDatabase()) })
}

let started: Promise<Started> | undefined

/** The kit's service shared by a worker's files. Tests use separate realms and only move its clock forward. */
export const sharedKit = (): Promise<Started> => (started ??= begin())
