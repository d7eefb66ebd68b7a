import { Redacted } from "effect"
import { Api } from "#testing/Api"
import { type Started, start } from "#testing/promise"
import { freshDatabase } from "./databases.ts"

/** A realm of the kit's service, and a caller in it. */
export const realmOf = async ({ url, key }: Started, name: string) => {
  const realm = await new Api(url, key).post("/v2/realms", { realm: { name, jwt_algo: "hs256" } })
  return { realm, api: new Api(url, key, realm.id) }
}

const begin = async (): Promise<Started> => {
  const target = await freshDatabase()
  return start({ database: target._tag === "Postgres" ? { ...target, url: Redacted.value(target.url) } : target })
}

let started: Promise<Started> | undefined

/** The kit's service that the files of a worker share: their tests keep apart by realm, and turn its clock forward only. */
export const sharedKit = (): Promise<Started> => (started ??= begin())
