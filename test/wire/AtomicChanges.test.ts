import { describe, expect, test, vi } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { publish } from "../support/domains.ts"
import { exhaustPasswords, scheduleDeletion, storeTrustedDevice } from "../support/logins.ts"
import { type Operation, operationNamed, operations, pathOf, requiredQuery } from "../support/operations.ts"
import { query } from "../support/query.ts"
import { bodyOf, resourceFor, snapshotOf } from "../support/resources.ts"
import { service, workerSql } from "../support/sallyport.ts"

/** Operations that record no event. */
const silent = [
  "v2.api_keys create",
  "v2.api_keys delete",
  "v2.auth_providers test",
  "v2.events cancel",
  "v2.events retry",
  "v2.hooks ping",
  "v2.hooks preview",
  "v2.hooks replay",
  "v2.logins passkey_login_options",
  "v2.logins passkey_options",
  "v2.realms reset",
  "v2.sessions create"
]

/** Operations that need more than a realm: creating realms, logging in at a provider, and using tokens. */
const otherOperations = [
  "v2.external_authentication authenticate",
  "v2.logins authenticate_token",
  "v2.logins reset_password_with_token",
  "v2.logins verify_email",
  "v2.realms create"
]
const withToken = ["v1.logins authenticate_code", "v1.logins reset_password_with_token", "v1.logins verify_email"]

const changes = [
  ...operations.filter(({ version, method }) => version === "v2" && method !== "GET"),
  ...withToken.flatMap((name) => operationNamed(name) ?? [])
].filter(({ name }) => !silent.includes(name) && !otherOperations.includes(name))

/** Bodies for operations whose sample body changes nothing. */
const changingBodies: Readonly<Record<string, object>> = {
  "v2.memberships update": { membership: { permissions: ["a"] } },
  "v2.invitations update": { invitation: { permissions: ["a"] } }
}

/** Operations whose challenge is used up by any attempt, so that the next attempt needs a new challenge. */
const usingUpProof = ["v2.logins authenticate_passkey"]

/** Runs a function while no event can be recorded in the worker's database. */
const withoutEvents = async <A>(run: () => Promise<A>): Promise<A> => {
  const sql = await workerSql()
  const logged = vi.spyOn(console, "log").mockImplementation(() => undefined)
  await query(sql`alter table events add constraint full_up check (false) not valid`)
  try {
    return await run()
  } finally {
    await query(sql`alter table events drop constraint full_up`)
    logged.mockRestore()
  }
}

/**
 * All rows of a realm, except rows that change even if a request fails: counted attempts, used challenges and the pepper
 * that is created at the first login of any user (C190).
 */
const rowsOf = async (realm: GivenRealm): Promise<unknown> => {
  const excludedTables = ["api_key_peppers", "attempts", "passkey_challenges"]
  const isExcluded = (value: unknown) => excludedTables.includes(Object(value).name)
  const text = JSON.stringify(await snapshotOf(realm), (name, value: unknown) =>
    name === "codes_tried" || isExcluded(value) ? undefined : value
  )
  return JSON.parse(text)
}

const prepare = async (operation: Operation, realm: GivenRealm) => {
  const id = operation.params.length > 0 ? await resourceFor(operation, realm) : undefined
  if (operation.name === "v2.users end_sessions" && id !== undefined) await realm.session(id)
  if (operation.name === "v2.users unblock" && id !== undefined) await exhaustPasswords(realm, id)
  if (operation.name === "v2.users untrust_devices" && id !== undefined) await storeTrustedDevice(realm, id)
  if (operation.name === "v2.domains verify" && id !== undefined) {
    publish((await service()).dns, await realm.get(`/v2/domains/${id}`))
  }
  if (operation.name === "v2.users cancel_deletion" && id !== undefined) await scheduleDeletion(id)
  const body = changingBodies[operation.name] ?? (await bodyOf(operation, realm, id))
  const path = pathOf(operation, () => id ?? "") + requiredQuery(operation)
  return () => realm.call(operation.method, path, { body })
}

describe("a change is rolled back if its event can't be recorded", () => {
  test.each(changes)("$name", async (operation) => {
    const { given } = await service()
    const realm = await given.realm()
    const call = await prepare(operation, realm)
    const again = usingUpProof.includes(operation.name) ? await prepare(operation, realm) : call
    const before = await rowsOf(realm)
    const reply = await withoutEvents(call)
    expect(reply.status).toBe(500)
    expect(await rowsOf(realm)).toEqual(before)
    // Without the failure, the same call succeeds.
    expect((await again()).status).toBeLessThan(300)
    expect(await rowsOf(realm)).not.toEqual(before)
  })
})
