import { expect, test } from "vitest"
import { sha256Text } from "#platform/Tokens"
import type { Reply } from "#testing/Api"
import { ConsolePage, signedIn } from "../support/console.ts"
import { inviteOperator, loggedInOperator, rootOf } from "../support/operators.ts"
import { query } from "../support/query.ts"
import { isolatedService, type OwnService } from "../support/sallyport.ts"

const [TOKEN, OTHER] = ["a".repeat(43), "b".repeat(43)]

/** Stores a login link of the root key that works for a minute, as a start does. */
const storeLink = async ({ sql, clock }: OwnService, token: string): Promise<void> => {
  const expiresAt = new Date(clock.currentTimeMillisUnsafe() + 60_000)
  const link = { login_link_id: sha256Text(token), login_link_expires_at: expiresAt }
  await query(sql`update api_keys set ${sql.update(link)} where root`)
}

const open = (page: ConsolePage, link_token: unknown): Promise<Reply> =>
  page.call("POST", "/console/session", { body: { link_token } })

const codeOf = (reply: Reply) => [reply.status, reply.member("error_details", 0, "code")]

test("C308: a login link logs in with the root key once", async () => {
  await isolatedService(async (own) => {
    const { seen } = await own.given.realm()
    await storeLink(own, TOKEN)
    const page = new ConsolePage(own.transport)
    const { result, events } = await seen.during(() => open(page, TOKEN))
    expect(result.status).toBe(201)
    expect(result.body).toMatchObject({ level: "admin_all_realms", realm_id: null, api_key: { name: "root" } })
    expect(events).toEqual([])
    const root = await own.given.root.get("/v2/events?realm_id=null&event_type=console.")
    expect(root.items.map(({ event_type }) => event_type)).toEqual(["console.session.created"])
    expect((await page.call("GET", "/console/api/v2/realms")).status).toBe(200)
    const again = new ConsolePage(own.transport)
    expect(codeOf(await open(again, TOKEN))).toEqual([401, "login_link_over"])
    expect(again.secret).toBeUndefined()
  })
})

test("SEC-290: rejects an expired, replaced or wrong link, and leaves an existing session unchanged", async () => {
  await isolatedService(async (own) => {
    await storeLink(own, TOKEN)
    await storeLink(own, OTHER)
    const page = await signedIn(own.transport, own.key)
    for (const token of [TOKEN, "", "x", own.key]) {
      expect(codeOf(await open(page, token))).toEqual([401, "login_link_over"])
    }
    expect(codeOf(await open(page, [OTHER]))).toEqual([401, "blank"])
    await own.advance(60_000)
    expect(codeOf(await open(page, OTHER))).toEqual([401, "login_link_over"])
    expect((await page.session()).status).toBe(200)
  })
})

test("SEC-290: guesses get 429 after ten in a minute, and other sites can't use a link", async () => {
  await isolatedService(
    async (own) => {
      await storeLink(own, TOKEN)
      const page = new ConsolePage(own.transport)
      const headers = { origin: "https://evil.example.test" }
      const foreign = await page.call("POST", "/console/session", { body: { link_token: TOKEN }, headers })
      expect(foreign.status).toBe(403)
      for (let n = 0; n < 10; n += 1) expect((await open(page, OTHER)).status).toBe(401)
      expect((await open(page, TOKEN)).status).toBe(429)
    },
    { limits: "all" }
  )
})

test("C304: the login page learns without a login whether API keys may log in and operators exist, and links need keys", async () => {
  await isolatedService(async (own) => {
    await storeLink(own, TOKEN)
    const visitor = new ConsolePage(own.transport)
    const methods = async () => (await visitor.call("GET", "/console/login")).body
    expect(await methods()).toEqual({ object: "console_login", api_keys: true, operators: false })
    await inviteOperator(rootOf(own), "owner")
    expect(await methods()).toEqual({ object: "console_login", api_keys: true, operators: false })
    const owner = await loggedInOperator(own, "owner")
    expect(await methods()).toEqual({ object: "console_login", api_keys: true, operators: true })
    await owner.page.call("PUT", "/console/api/v2/console", { body: { console: { api_keys: false } } })
    expect(await methods()).toEqual({ object: "console_login", api_keys: false, operators: true })
    expect(codeOf(await open(visitor, TOKEN))).toEqual([401, "console_key_refused"])
  })
})
