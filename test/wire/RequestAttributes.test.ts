import { describe, expect, test } from "vitest"
import { Api } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { publish } from "../support/domains.ts"
import { exhaustPasswords, scheduleDeletion, storeTrustedDevice } from "../support/logins.ts"
import { type Operation, operations, pathOf } from "../support/operations.ts"
import { bodyOf, resourceFor } from "../support/resources.ts"
import { service, wireService } from "../support/sallyport.ts"

const request = { ip: "203.0.113.7", client: "Console 7" }

/** Operations whose body contains a secret of a user. They have their own tests. */
const testedElsewhere = [
  "v2.logins authenticate_token",
  "v2.logins reset_password_with_token",
  "v2.logins verify_email",
  "v1.logins authenticate_key",
  "v1.external_authentication authenticate",
  "v2.external_authentication authenticate"
]

/** Operations that record no event that a caller of the realm can read. */
const silent =
  /realms delete|sessions create|user_tokens create|hooks (ping|preview|replay)|auth_providers test|events (retry|cancel)|passkey_(login_)?options/

const writes = operations.filter(({ method, name }) => method !== "GET" && !testedElsewhere.includes(name))

/** Bodies for updates whose sample body changes nothing. */
const changes: Readonly<Record<string, object>> = { membership: { permissions: "a" }, invitation: { permissions: "a" } }

let shared: Promise<GivenRealm> | undefined

/** The realm shared by all operations. Each operation on realms gets its own. */
const realmFor = async ({ resource }: Operation): Promise<GivenRealm> => {
  const { given } = await wireService()
  return resource === "realms" ? given.realm() : (shared ??= given.realm())
}

const latest = async (api: Api) => (await api.get("/v2/events?direction=desc&max_results=40")).items

describe("every operation accepts request {ip, client} outside the wrapper and stores it in its events", () => {
  test.each(writes)("$name", async (operation) => {
    const realm = await realmFor(operation)
    const thing = operation.params.length > 0 ? await resourceFor(operation, realm) : undefined
    const { wrapper = "", name } = operation
    const change = name.endsWith(" update") ? changes[wrapper] : undefined
    const body = change === undefined ? await bodyOf(operation, realm, thing) : { [wrapper]: change }
    if (name === "v2.users end_sessions" && thing !== undefined) await realm.session(thing)
    if (name === "v2.users unblock" && thing !== undefined) await exhaustPasswords(realm, thing)
    if (name === "v2.users untrust_devices" && thing !== undefined) await storeTrustedDevice(realm, thing)
    if (name === "v2.domains verify") publish((await service()).dns, await realm.get(`/v2/domains/${thing}`))
    if (name === "v2.users cancel_deletion" && thing !== undefined) await scheduleDeletion(thing)
    const before = (await latest(realm)).map(({ id }) => id)
    const path = pathOf(operation, () => thing ?? "")
    const reply = await realm.call(operation.method, path, { body: { ...Object(body), request } })
    expect([reply.status < 300, reply.text]).toEqual([true, reply.text])
    if (name.endsWith("realms delete")) return
    const reader = name.endsWith("realms create") ? new Api(realm.url, realm.key, reply.id) : realm
    const events = (await latest(reader)).filter(({ id }) => !before.includes(id))
    expect(events.map((event) => event["request"])).toEqual(events.map(() => request))
    expect(events.length > 0).toBe(!silent.test(name))
  })
})
