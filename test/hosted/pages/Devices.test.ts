import { describe, expect, test } from "vitest"
import { STARTS_AT } from "#testing/TestSallyport"
import { codeAt } from "../../support/credentials.ts"
import { enrolled, userEvent as event, PASSWORD } from "../../support/logins.ts"
import { fieldOf, statusAndHeading, visibleText } from "../../support/pages.ts"
import { quickUser } from "../../support/passwordEntryPoints.ts"
import { newRealm } from "../../support/sallyport.ts"
import { formsIn, onSecurityPage, Visitor } from "../../support/visitor.ts"

describe("an authenticator app", () => {
  const codeOf = (visitor: Visitor, steps = 0) => {
    const secret = /<code class="key">([^<]*)</.exec(visitor.page.text)?.[1]?.replaceAll(" ", "") ?? ""
    return codeAt(secret, STARTS_AT + steps * 30_000)
  }

  test("is activated by its first code and then required at login", async () => {
    const realm = await newRealm()
    const { user, visitor, email } = await onSecurityPage(realm)
    const known = { current_password: PASSWORD }
    const blank = await realm.seen.during(() => visitor.fill({ device_name: " ", ...known }, "Set up"))
    expect([blank.result.status, blank.events]).toEqual([422, []])
    for (const current_password of ["", "wrong"]) {
      const { result, events } = await realm.seen.during(() =>
        visitor.fill({ device_name: "My phone", current_password }, "Set up")
      )
      expect([...statusAndHeading(result), events, fieldOf(result, "device_name")]).toEqual([
        422,
        "Login and security",
        [],
        "My phone"
      ])
    }
    const added = await realm.seen.during(() => visitor.fill({ device_name: "My phone", ...known }, "Set up"))
    expect([...statusAndHeading(added.result), added.events]).toEqual([
      200,
      "Set up your authenticator app",
      [event(user, "updated")]
    ])
    expect(added.result.text).toContain("<svg")
    const codes = [codeOf(visitor, -1), codeOf(visitor), codeOf(visitor, 1)]
    const wrong = await realm.seen.during(() => visitor.fill({ code: "12345" }))
    expect([...statusAndHeading(wrong.result), wrong.events]).toEqual([422, "Set up your authenticator app", []])
    // The login doesn't ask for a code before the authenticator app is activated.
    const meanwhile = new Visitor(realm.transport, visitor.origin)
    expect((await meanwhile.logIn(email)).status).toBe(303)
    const active = await realm.seen.during(() => visitor.fill({ code: codes[0] ?? "" }))
    expect([active.events, visitor.leads.search]).toEqual([[event(user, "updated")], "?saved=device"])
    expect(visibleText(await visitor.follow())).toContain("My phone")

    const again = new Visitor(realm.transport, visitor.origin)
    expect(statusAndHeading(await again.logIn(email))).toEqual([200, "Enter your code"])
    expect((await again.fill({ code: codes[1] ?? "" })).status).toBe(303)
    const remove = "Remove My phone"
    const refused = await realm.seen.during(() => visitor.fill({ code: codes[1] ?? "" }, remove))
    expect([...statusAndHeading(refused.result), refused.events]).toEqual([422, "Login and security", []])
    const removed = await realm.seen.during(() => visitor.fill({ code: codes[2] ?? "" }, remove))
    expect([removed.events, visitor.leads.search]).toEqual([[event(user, "updated")], "?saved=removed"])
    expect((await again.logIn(email, PASSWORD, "?way=login")).status).toBe(303)
  })

  test("can be removed with a code of another authenticator app", async () => {
    const realm = await newRealm()
    const { user, visitor } = await onSecurityPage(realm)
    const devices = [await enrolled(realm, user.id), await enrolled(realm, user.id)]
    await visitor.open("/security")
    const [lost, left] = devices
    const form = formsIn(visitor.page).find(({ values }) => values["device"] === lost?.id)
    const { events } = await realm.seen.during(() =>
      visitor.send("/security", { ...form?.values, code: left?.code() ?? "" })
    )
    expect([visitor.leads.search, events]).toEqual(["?saved=removed", [event(user, "updated")]])
    const credentials = await realm.get(`/v2/users/${user.id}`)
    expect(credentials.text).toContain(left?.id)
    expect(credentials.text).not.toContain(lost?.id)
  })

  test("cannot be changed by another user", async () => {
    const realm = await newRealm()
    const { user, visitor } = await onSecurityPage(realm)
    const mine = await enrolled(realm, user.id)
    const other = await quickUser(realm)
    const theirs = await enrolled(realm, other.id)
    const elsewhere = await newRealm()
    const strange = await enrolled(elsewhere, (await elsewhere.user()).id)
    const password = (await realm.get(`/v2/users/${user.id}`)).string("credentials", 0, "id")
    const events = await realm.seen.caused(async () => {
      for (const device of [theirs.id, strange.id, password, "cr_x", ""]) {
        for (const [way, code] of [
          ["remove", theirs.code()],
          ["remove", mine.code()],
          ["activate", theirs.code()]
        ] as const) {
          await visitor.send("/security", { way, device, code })
          expect([device, way, visitor.page.status, visitor.page.headers.get("location")]).toEqual([
            device,
            way,
            303,
            "security"
          ])
        }
      }
    })
    expect(events).toEqual([])
  })

  test("cannot be added if the realm has no second factors", async () => {
    const realm = await newRealm()
    await realm.put("/v2/auth_providers/totp", { auth_provider: { state: "inactive" } })
    const { visitor } = await onSecurityPage(realm)
    expect(formsIn(visitor.page).map(({ button }) => button)).toEqual(["Change password"])
    const events = await realm.seen.caused(() =>
      visitor.send("/security", { way: "add", device_name: "x", current_password: PASSWORD })
    )
    expect([visitor.page.status, events]).toEqual([422, []])
  })
})
