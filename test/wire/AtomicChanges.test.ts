import { describe, expect, test, vi } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { type Operation, operationNamed, operations, pathOf, queryNeeded } from "../support/operations.ts"
import { query } from "../support/query.ts"
import { bodyOf, resourceFor, snapshotOf } from "../support/resources.ts"
import { service, workerSql } from "../support/sallyport.ts"

/** What records no event: it has no change, or one that hooks are not told of. */
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

/** What a realm alone does not suffice for: a new realm, a login at a provider, and tokens, which `/v1` takes with their user. */
const others = [
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
].filter(({ name }) => !silent.includes(name) && !others.includes(name))

/** Bodies that change something, where the sample would not. */
const otherwise: Readonly<Record<string, object>> = {
  "v2.memberships update": { membership: { permissions: ["a"] } },
  "v2.invitations update": { invitation: { permissions: ["a"] } }
}

/** Where any try uses up the proof in the body: the next try has one of its own. */
const usedUp = ["v2.logins authenticate_passkey"]

/** Runs something while no event can be recorded in the worker's database. */
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
 * Every row of a realm. A guess is counted, and a challenge used up, before the answer is looked at: whatever becomes of it. The
 * first login makes the realm's pepper, whoever it is of (C190).
 */
const rowsOf = async (realm: GivenRealm): Promise<unknown> => {
  const apart = ["api_key_peppers", "attempts", "passkey_challenges"]
  const isApart = (value: unknown) => apart.includes(Object(value).name)
  const text = JSON.stringify(await snapshotOf(realm), (name, value: unknown) =>
    name === "codes_tried" || isApart(value) ? undefined : value
  )
  return JSON.parse(text)
}

const prepare = async (operation: Operation, realm: GivenRealm) => {
  const id = operation.params.length > 0 ? await resourceFor(operation, realm) : undefined
  if (operation.name === "v2.users end_sessions" && id !== undefined) await realm.session(id)
  const body = otherwise[operation.name] ?? (await bodyOf(operation, realm, id))
  const path = pathOf(operation, () => id ?? "") + queryNeeded(operation)
  return () => realm.call(operation.method, path, { body })
}

describe("no change without its event: where the event cannot be recorded, nothing has changed", () => {
  test.each(changes)("$name", async (operation) => {
    const { given } = await service()
    const realm = await given.realm()
    const call = await prepare(operation, realm)
    const again = usedUp.includes(operation.name) ? await prepare(operation, realm) : call
    const before = await rowsOf(realm)
    const reply = await withoutEvents(call)
    expect(reply.status).toBe(500)
    expect(await rowsOf(realm)).toEqual(before)
    // The same call is a good one.
    expect((await again()).status).toBeLessThan(300)
    expect(await rowsOf(realm)).not.toEqual(before)
  })
})
