import { Effect } from "effect"
import { describe, expect, test } from "vitest"
import { EventsRepo } from "#store/events/EventsRepo"
import { noHooks } from "#store/hooks/ActiveHooks"
import { OrgsRepo } from "#store/orgs/OrgsRepo"
import type { GivenRealm } from "#testing/Given"
import { webhook } from "../support/hooks.ts"
import { query } from "../support/query.ts"
import { idOf, repositoriesOn } from "../support/repositories.ts"
import { clockedService, type OwnService } from "../support/sallyport.ts"

const tables = ["users", "last_logins", "credentials", "orgs", "memberships", "events", "deliveries"]

/** The commands that wrote the rows with a realm's latest transaction id, and the tables they wrote. */
const lastCommands = async ({ sql }: OwnService, { id }: GivenRealm) => {
  const written = []
  for (const table of tables) {
    const rows = await query(
      sql<{ readonly transaction: string; readonly command: string }>`
        select xmin::text as transaction, cmin::text as command from ${sql(table)} where realm_id = ${id}`
    )
    written.push(...rows.map((row) => ({ table, ...row })))
  }
  const last = Math.max(...written.map(({ transaction }) => Number(transaction)))
  return written
    .filter(({ transaction }) => Number(transaction) === last)
    .map(({ table, command }) => `${table} by command ${command}`)
}

const password = {
  credential_type: "password",
  password_hash: "$2b$04$0123456789012345678901uAqn7Y6mXVUlqOo1T9Lyp5RZ0LKN2vC"
}

describe("the single statement that creates rows with their events", () => {
  test("covers a user with a password", async () => {
    const own = await clockedService()
    const realm = await own.given.realm()
    const made = await realm.post("/v2/users", { user: { email: "ada@example.test", credentials: [password] } })
    expect(made.status).toBe(201)
    expect(await lastCommands(own, realm)).toEqual([
      "users by command 0",
      "last_logins by command 0",
      "credentials by command 0",
      "events by command 0"
    ])
  })

  test("covers a user with a new org, a membership and webhook deliveries", async () => {
    const own = await clockedService()
    const realm = await own.given.realm()
    await webhook(realm, { delay: 60 })
    const user = { email: "ada@example.test", credentials: [] }
    const made = await realm.post("/v2/users", { user, org: { name: "Analytical Engines" } })
    expect(made.status).toBe(201)
    expect(await lastCommands(own, realm)).toEqual([
      "users by command 0",
      "last_logins by command 0",
      "orgs by command 0",
      "memberships by command 0",
      ...Array(3).fill("events by command 0"),
      ...Array(3).fill("deliveries by command 0")
    ])
  })

  test("covers an org without members", async () => {
    const own = await clockedService()
    const realm = await own.given.realm()
    expect((await realm.post("/v2/orgs", { org: { name: "Analytical Engines" } })).status).toBe(201)
    expect(await lastCommands(own, realm)).toEqual(["orgs by command 0", "events by command 0"])
  })
})

describe("a guarded write", () => {
  const entryOf = async (own: OwnService, realm: GivenRealm, guarded: string) => {
    const org = idOf("org", (await realm.org()).id)
    const realmId = idOf("realm", realm.id)
    const program = Effect.gen(function* () {
      const [orgs, events] = [yield* OrgsRepo, yield* EventsRepo]
      const found = yield* orgs.find(realmId, org)
      if (found === undefined) return yield* Effect.die("no org")
      const guard = {
        select: own.sql<{ readonly name: string }>`select o.realm_id, o.name from orgs o
          where o.realm_id = ${realmId} and o.name = ${guarded} for share`,
        fromRow: ({ name }: { readonly name: string }) => name
      }
      const other = { ...found, id: idOf("org", `${org.slice(0, -4)}zzzz`), name: "Written" }
      const writes = [orgs.insertion(other)]
      return yield* events.insert(realmId, {
        guard,
        writes,
        events: [],
        deliveries: [],
        accountMails: [],
        assumed: noHooks
      })
    })
    const state = await Effect.runPromise(Effect.provide(program, repositoriesOn(own.sql)))
    const names = await query(own.sql<{ readonly name: string }>`select name from orgs where realm_id = ${realm.id}`)
    return { guard: state?.guard, names: names.map(({ name }) => name).toSorted() }
  }

  test("returns the guard's row and is executed if that row exists", async () => {
    const own = await clockedService()
    const realm = await own.given.realm()
    const { name } = (await realm.org()).body as { readonly name: string }
    const { guard, names } = await entryOf(own, realm, name)
    expect(guard).toBe(name)
    expect(names).toContain("Written")
  })

  test("is not executed if the guard's row doesn't exist", async () => {
    const own = await clockedService()
    const { guard, names } = await entryOf(own, await own.given.realm(), "Nobody's")
    expect(guard).toBe(undefined)
    expect(names).not.toContain("Written")
  })
})
