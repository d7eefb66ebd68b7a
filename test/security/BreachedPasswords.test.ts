import { createHash } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { uniqueText } from "#testing/Given"
import { appAt } from "../external/BrowserLogins.ts"
import { Browser } from "../support/browser.ts"
import { statusAndErrors } from "../support/logins.ts"
import { entryPoints, hashesComputed } from "../support/passwordEntryPoints.ts"
import { type Listening, receiver } from "../support/receivers.ts"
import { type OwnService, ownService } from "../support/sallyport.ts"

const LEAKED = "nine breached walruses"
const BREACHED = "Password has appeared in a data breach, so others may know it. Choose a different one."

const digestOf = (password: string): string => createHash("sha1").update(password).digest("hex").toUpperCase()

/** The breached passwords that the range service lists: hash suffixes by prefix. */
const leaked = new Map<string, string>()

const addBreached = (password: string): string => {
  leaked.set(digestOf(password).slice(0, 5), digestOf(password).slice(5))
  return password
}

/** A range response with an unrelated digest, the breached password's digest (if any) and a padding entry. */
const rangeResponse = (prefix: string): string => {
  const rest = leaked.get(prefix)
  return [`${"A".repeat(35)}:3`, ...(rest === undefined ? [] : [`${rest}:17`]), `${"B".repeat(35)}:0`].join("\r\n")
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void

const ranges: Answer = (request, response) => response.end(rangeResponse((request.url ?? "").split("/").at(-1) ?? ""))

let answer: Answer = ranges
let directory: Listening & { readonly headers: Array<IncomingMessage["headers"]> }

beforeAll(async () => {
  const headers: Array<IncomingMessage["headers"]> = []
  const listening = await receiver((request, response) => {
    headers.push(request.headers)
    answer(request, response)
  })
  directory = { ...listening, headers }
})
afterAll(() => directory.stop())

/** Runs a separate service that checks passwords at the range server, which responds with `answers`. */
const withRangeServer = (answers: Answer, use: (own: OwnService) => Promise<void>, patience = 5_000) => {
  answer = answers
  return ownService(use, { breachedPasswordsUrl: `http://127.0.0.1:${directory.port}/range`, patience })
}

const person = () => {
  const username = uniqueText("oyster")
  return { username, email: `${username}@example.test`, first_name: "Oy", last_name: "Ster" }
}

describe("a password known from a data breach", () => {
  test("is rejected wherever a password is set, and only five hex digits of its hash leave the service", async () => {
    const open: Array<unknown> = []
    await withRangeServer(ranges, async (own) => {
      answer = (request, response) => {
        const asked = own.sql`select count(*)::int as open from pg_stat_activity
          where datname = current_database() and state like 'idle in transaction%'`
        void Effect.runPromise(asked).then((rows) => {
          open.push(...rows)
          ranges(request, response)
        })
      }
      const realm = await own.given.realm({ name: "Carpenters" })
      for (const entryPoint of entryPoints) {
        const { set } = await entryPoint.open(realm, person())
        const hashesBefore = await hashesComputed(realm)
        const known = addBreached(`${LEAKED} at ${entryPoint.name}`)
        expect([entryPoint.name, ...statusAndErrors(await set(known))]).toEqual([entryPoint.name, 422, [BREACHED]])
        expect(await hashesComputed(realm)).toBe(hashesBefore)
        expect((await set(`${known}!`)).status).toBeLessThan(300)
      }
    })
    expect(open).toEqual(directory.requests.map(() => ({ open: 0 })))
    const prefixes = entryPoints.flatMap(({ name }) =>
      ["", "!"].map((end) => `/range/${digestOf(`${LEAKED} at ${name}${end}`).slice(0, 5)}`)
    )
    expect(directory.requests.map(({ path }) => path)).toEqual(prefixes)
    expect(directory.headers.every((sent) => sent["add-padding"] === "true" && sent["cookie"] === undefined)).toBe(true)
  })

  test("is rejected in hosted login with a message in the visitor's language", async () => {
    await withRangeServer(ranges, async (own) => {
      const { origin } = await appAt(await own.given.realm({ name: "Carpenters" }))
      const form = { ...person(), password: addBreached(LEAKED), way: "signup" }
      const page = await new Browser(own.transport).go(`${origin}/signup`, {
        form,
        headers: { "accept-language": "es" }
      })
      expect(page.status).toBe(422)
      expect(page.text).toContain("Apareció en una filtración de datos")
    })
  })
})

test("SEC-140: a hanging range service does not block password changes", async () => {
  await withRangeServer(
    () => {},
    async (own) => {
      const before = directory.requests.length
      const realm = await own.given.realm({ name: "Carpenters" })
      const users = [person(), person()]
      for (const user of users) {
        expect((await realm.post("/v2/users", { user: { ...user, password: addBreached(LEAKED) } })).status).toBe(201)
      }
      const login = await realm.post(`/v2/users/${users[0]?.email}/authenticate`, { user: { password: LEAKED } })
      expect(login.status).toBe(200)
      expect(directory.requests.length).toBe(before + 1)
    },
    250
  )
})
