import { describe, expect, test } from "vitest"
import { withAt } from "../support/bodyWays.ts"
import { logIn, oauth2StandIn, profile } from "../support/external.ts"
import { hostedAt } from "../support/hostedApi.ts"
import { exportedRows, exportOf, importRows } from "../support/imports.ts"
import { operations, pathOf, requiredQuery } from "../support/operations.ts"
import { newRealm } from "../support/sallyport.ts"
import { RawResponse } from "../support/standIns.ts"
import { untouchedRealm } from "../support/untouchedRealm.ts"

/** A user's ID at a provider. As a number, JavaScript rounds it down by one. */
const DIGITS = "10155555555555557"

const MARK = "the number"

/** Serializes a body as JSON and replaces the mark by the digits. */
const withDigits = (body: unknown, digits = DIGITS) => JSON.stringify(body).replaceAll(`"${MARK}"`, digits)

describe("SEC-238: a number that JavaScript can't represent exactly", () => {
  const withBody = operations.filter(({ scalars, method }) => scalars.length > 0 && method !== "GET")

  test("is tested in the custom attributes of many operations", () => {
    expect(withBody.filter(({ members }) => members.includes("custom")).length).toBeGreaterThan(8)
  })

  test.each(
    withBody.map((operation) => [operation.name, operation] as const)
  )("SEC-238: makes %s return 422 with the member's name, without storing data", async (_, operation) => {
    const untouched = await untouchedRealm()
    const { realm } = untouched
    const [thing, body] = [await untouched.thing(operation), await untouched.body(operation)]
    const path = pathOf(operation, () => thing) + requiredQuery(operation)
    const { wrapper, members } = operation
    const at = wrapper === undefined ? [] : [wrapper]
    const attributes = members.includes("custom")
      ? [
          [...at, "custom", "big"],
          [...at, "custom", "list", "0"]
        ]
      : []
    await untouched.expectUnchanged(async () => {
      for (const way of [...operation.scalars, ...attributes]) {
        for (const digits of [DIGITS, "-9007199254740993", "1e400"]) {
          const sent = withDigits(withAt(body, way, MARK), digits)
          const reply = await realm.call(operation.method, path, { body: sent })
          expect([way, reply.status]).toEqual([way, 422])
          expect(reply.member("error_details", 0, "code")).toBe("number_inexact")
          expect(reply.errors).toEqual([
            expect.stringMatching(/has too many digits for a number\. Send it as text, in quotes\.$/)
          ])
        }
      }
    })
  })

  test("SEC-238: gets a short error even with a long path or among many other numbers", async () => {
    const realm = await newRealm()
    const numbers = Array.from({ length: 30 }, () => DIGITS)
    const deep = `${"[".repeat(1_500)}${"[],".repeat(60_000)}${DIGITS}${"]".repeat(1_500)}`
    for (const custom of [`{"${"k".repeat(200_000)}": [${numbers}]}`, `{"deep": ${deep}}`]) {
      const reply = await realm.call("POST", "/v2/users", { body: `{"user": {"custom": ${custom}}}` })
      expect(reply.status).toBe(422)
      expect(reply.text.length).toBeLessThan(30_000)
    }
  })

  test("SEC-238: gets 422 with the name of the custom attribute, but is accepted as text", async () => {
    const realm = await newRealm()
    const body = {
      user: {
        email: "jo@example.test",
        password: "seven purple elephants",
        custom: { fb: MARK, ok: 9_007_199_254_740_991 }
      }
    }
    const rejected = await realm.call("POST", "/v2/users", { body: withDigits(body) })
    expect([rejected.status, rejected.errors]).toEqual([
      422,
      ["custom.fb has too many digits for a number. Send it as text, in quotes."]
    ])
    const spanish = await realm.call("POST", "/v2/users", {
      body: withDigits(body),
      headers: { "accept-language": "es" }
    })
    expect(spanish.errors).toEqual([expect.stringContaining("tiene demasiados dígitos para un número")])
    const made = await realm.call("POST", "/v2/users", { body: withDigits(body, `"${DIGITS}"`) })
    const found = await realm.get(`/v2/users/${made.id}?expand=custom`)
    expect([made.status, found.member("custom")]).toEqual([201, { fb: DIGITS, ok: 9_007_199_254_740_991 }])
  })

  test("SEC-238: makes an import reject its row and report the number's position", async () => {
    const realm = await newRealm()
    await realm.authProvider({ provider_type: "google" })
    const credential = { credential_type: "google", provider_user_id: MARK }
    const rows = [
      { reference: "r", email: "jo@example.test", custom: { fb: MARK } },
      { reference: "s", email: "al@example.test", credentials: [credential] }
    ]
    const { refused, summary } = await importRows(
      realm,
      rows.map((row) => withDigits(row))
    )
    expect(refused.map(({ reference, error_details }) => [reference, error_details])).toEqual([
      ["r", [expect.objectContaining({ field: "custom.fb", code: "number_inexact" })]],
      ["s", [expect.objectContaining({ field: "credentials[0].provider_user_id", code: "number_inexact" })]]
    ])
    expect(summary).toMatchObject({ created: 0, refused: 2 })
    const good = await importRows(
      realm,
      rows.map((row) => withDigits(row, `"${DIGITS}"`))
    )
    expect(good.summary).toMatchObject({ created: 2, refused: 0 })
  })

  test("SEC-238: keeps its digits where hosted login accepts numbers as text", async () => {
    const realm = await newRealm()
    const hosted = await hostedAt(realm)
    await realm.user({ username: DIGITS, password: "seven purple elephants" })
    const login = (digits: string) =>
      hosted.send(
        "login",
        "POST",
        { "content-type": "application/json" },
        withDigits({ username: MARK, password: "seven purple elephants" }, digits)
      )
    expect((await login(DIGITS)).member("error")).toBeUndefined()
    expect((await login("10155555555555556")).member("error")).toBe("Login failed.")
  })

  test("SEC-238: a large numeric user ID from a provider keeps all its digits", async () => {
    const realm = await newRealm()
    const response = new RawResponse(200, withDigits(profile({ sub: MARK })))
    const { provider } = await oauth2StandIn(realm, profile(), {}, { profile: response })
    expect((await logIn(realm, provider.id)).status).toBe(201)
    const [row] = exportedRows(await exportOf(realm))
    expect(Object(row)["credentials"][0].provider_user_id).toBe(DIGITS)
  })
})
