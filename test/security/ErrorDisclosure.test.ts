import { expect, test, vi } from "vitest"
import { Api, type Reply } from "#testing/Api"
import { operations, pathOf, requiredQuery } from "../support/operations.ts"
import { pageOf } from "../support/pages.ts"
import { query } from "../support/query.ts"
import { unknownIdLike } from "../support/resources.ts"
import { isolatedService } from "../support/sallyport.ts"

/** Matches stack traces, SQL, table and file names, libraries and versions. */
const disclosures =
  /\bat \S+:\d+|node_modules|\.(ts|js|sql)\b|\b(select|insert|update|delete) .* (from|into|set)\b|relation|column|syntax|\bSqlError|\bCause\b|effect\/|pg_|pglite|undici|nodemailer|"v?\d+\.\d+\.\d+/i

const tablesOf = "select table_name as name from information_schema.tables where table_schema = 'public'"

test("SEC-81: without its tables, the service returns 4xx or 500 without revealing the cause", () =>
  isolatedService(
    async ({ given, sql }) => {
      const realm = await given.realm()
      const user = await realm.user()
      const app = await realm.connectedApp()
      const tables = await query(sql.unsafe<{ name: string }>(tablesOf))
      for (const { name } of tables.filter((one) => !["api_keys", "migrations"].includes(one.name))) {
        await query(sql.unsafe(`alter table "${name}" rename to "gone_${name}"`))
      }
      const logged = vi.spyOn(console, "log").mockImplementation(() => undefined)
      const replies: Array<readonly [string, Reply]> = []
      const ask = async (name: string, reply: Promise<Reply>) => replies.push([name, await reply])
      for (const operation of operations) {
        const path = pathOf(operation, () => unknownIdLike(user.id)) + requiredQuery(operation)
        const body =
          operation.method === "GET" ? undefined : { [operation.wrapper ?? "none"]: { name: "x", token: "x" } }
        await ask(operation.name, realm.call(operation.method, path, { body }))
      }
      const browser = new Api(realm.transport, undefined)
      for (const name of ["verify", "reset", "invitation"] as const) {
        await ask(name, pageOf(realm, name).show({ token: "tve:x" }))
        await ask(name, pageOf(realm, name).send({ token: "tve:x" }))
      }
      for (const path of ["/connect/jwks", "/.well-known/openid-configuration", "/auth/google"]) {
        await ask(path, browser.call("GET", path, { headers: { host: app.string("domains", 0) } }))
      }
      for (const path of [`/realms/${realm.id}/jwks`, "/mailbox", "/v2/test/messages"]) {
        await ask(path, browser.get(path))
      }
      // Proxied requests are anonymous. Direct requests come from operators, who may see more (SEC-248).
      await ask("/readyz", browser.call("GET", "/readyz", { headers: { "x-forwarded-for": "192.0.2.1" } }))
      const log = JSON.stringify(logged.mock.calls)
      logged.mockRestore()
      const faults = replies.filter(([, { status }]) => status === 500)
      expect(faults.length).toBeGreaterThan(40)
      for (const [name, { status, text, headers }] of replies) {
        // Deleting an unknown session succeeds.
        const rejected = status >= 400 || !name.includes(" ") || name.endsWith("sessions delete")
        expect([name, rejected]).toEqual([name, true])
        expect([name, disclosures.exec(text.replace(/<style>.*<\/style>/s, ""))?.[0]]).toEqual([name, undefined])
        expect([name, headers.get("server"), headers.get("x-powered-by")]).toEqual([name, null, null])
      }
      // The details that the responses omit are logged with the same request id.
      for (const [, { headers }] of faults) expect(log).toContain(headers.get("x-request-id"))
      expect(log).not.toContain(user.string("email"))
    },
    { mail: "mailbox", publicUrl: "http://localhost:3000" }
  ))
