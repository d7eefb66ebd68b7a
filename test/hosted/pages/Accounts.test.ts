import { decodeJwt } from "jose"
import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { HANDLER } from "../../external/BrowserLogins.ts"
import { PASSWORD } from "../../support/logins.ts"
import { statusAndHeading, visibleText } from "../../support/pages.ts"
import { newRealm } from "../../support/sallyport.ts"
import { claimsIn, expectTokenHandover, formsIn, visitorAtApp } from "../../support/visitor.ts"

describe("a user's orgs in a multi_user realm", () => {
  const prepared = async (count: number) => {
    const realm = await newRealm({ org_mode: "multi_user", jwt_scopes: ["ar.orgs"] })
    const at = await visitorAtApp(realm, { app: { redirect_uris: ["https://app.example.test/cb"] } })
    const orgs = []
    for (const name of ["Pilots", "Dockers", "Sailors"].slice(0, count)) orgs.push(await realm.org({ name }))
    for (const { id } of orgs) await realm.membership(at.user.id, id, { permissions: ["x:y"] })
    return { realm, ...at, orgs }
  }

  test("are offered for selection if the user has several, and only the selected org is in the token", async () => {
    const { realm, visitor, email, orgs } = await prepared(3)
    const [, chosen] = orgs
    await realm.put(`/v2/orgs/${orgs[2]?.id}`, { org: { state: "inactive" } })
    for (const query of ["", "?redirect_uri=https://app.example.test/cb"]) {
      expect([(await visitor.logIn(email, PASSWORD, `${query}${query === "" ? "?" : "&"}way=login`)).status]).toEqual([
        303
      ])
      expect([visitor.leads.pathname, statusAndHeading(await visitor.follow())]).toEqual([
        "/accounts",
        [200, "Choose an organization"]
      ])
      expect(formsIn(visitor.page).map(({ button }) => button)).toEqual(["Pilots", "Dockers"])
      const { result, events } = await realm.seen.during(() => visitor.fill({}, "Dockers"))
      expect([result.status, events]).toEqual([303, []])
      expectTokenHandover(visitor.leads, query === "" ? HANDLER : "https://app.example.test/cb")
      expect(claimsIn(visitor.leads)["orgs"]).toEqual([
        expect.objectContaining({ oid: chosen?.id, perm: ["x:y"], selected: true })
      ])
    }
    const kept = await visitor.open("/accounts")
    expect(statusAndHeading(kept)).toEqual([200, "Choose an organization"])
  })

  test("are not offered for selection if the user has at most one org", async () => {
    for (const count of [1, 0]) {
      const { visitor, email, orgs } = await prepared(count)
      await visitor.logIn(email)
      expectTokenHandover(visitor.leads)
      const expected = orgs.map(({ id }) => expect.objectContaining({ oid: id, selected: true }))
      expect(claimsIn(visitor.leads)["orgs"] ?? []).toEqual(expected)
      await visitor.open("/login")
      expectTokenHandover(visitor.leads)
      expect(claimsIn(visitor.leads)["orgs"] ?? []).toEqual(expected)
    }
  })

  test("require a selection even if the user is already logged in", async () => {
    const { visitor, email } = await prepared(2)
    await visitor.logIn(email)
    await visitor.open("/login?redirect_uri=https://app.example.test/cb")
    expect(visitor.leads.pathname).toBe("/accounts")
    await visitor.follow()
    await visitor.fill({}, "Pilots")
    expectTokenHandover(visitor.leads, "https://app.example.test/cb")
  })

  test("stay selected on later visits to /login until the user selects another org or leaves the org", async () => {
    const { realm, visitor, email, user, orgs } = await prepared(2)
    await visitor.logIn(email)
    for (const [at, name] of ["Pilots", "Dockers"].entries()) {
      await visitor.open("/accounts")
      await visitor.fill({}, name)
      await visitor.open("/login?redirect_uri=https://app.example.test/cb")
      expectTokenHandover(visitor.leads, "https://app.example.test/cb")
      expect(claimsIn(visitor.leads)["orgs"]).toEqual([expect.objectContaining({ oid: orgs[at]?.id, selected: true })])
    }
    const [pilots, dockers] = orgs
    await realm.membership(user.id, (await realm.org({ name: "Sailors" })).id)
    const [left] = (await realm.get(`/v2/memberships?user_id=${user.id}&org_id=${dockers?.id}`)).items
    await realm.delete(`/v2/memberships/${String(left?.["id"])}`)
    await visitor.open("/login")
    expect(visitor.leads.pathname).toBe("/accounts")
    await visitor.follow()
    expect(formsIn(visitor.page).map(({ button }) => button)).toEqual(["Pilots", "Sailors"])
    await visitor.fill({}, "Pilots")
    await visitor.open("/login")
    expect(claimsIn(visitor.leads)["orgs"]).toEqual([expect.objectContaining({ oid: pilots?.id })])
    await visitor.logIn(email, PASSWORD, "?way=login")
    expect(visitor.leads.pathname).toBe("/accounts")
  })

  test("C86: are marked when selected", async () => {
    const { visitor, email } = await prepared(2)
    await visitor.logIn(email)
    expect((await visitor.follow()).text).not.toContain("aria-current")
    const before = visibleText(await visitor.open("/profile"))
    expect([before.includes("Organization: "), before.includes("Choose an organization")]).toEqual([false, true])
    await visitor.open("/accounts")
    await visitor.fill({}, "Dockers")
    const marked = await visitor.open("/accounts")
    expect(
      marked.text.match(/<button[^>]* aria-current="true">.*?<\/button>/g)?.map((text) => visibleText({ text }))
    ).toEqual([expect.stringMatching(/^ Dockers\s+Current $/)])
    const profile = visibleText(await visitor.open("/profile"))
    expect(profile).toContain("Organization: Dockers")
    expect([profile.includes("Switch organization"), profile.includes("Choose an organization")]).toEqual([true, false])
  })

  describe("C89: the session's selected org", () => {
    const [PILOTS, DOCKERS] = [0, 1]

    const tokenAgain = async (realm: GivenRealm, url: URL, query = "") => {
      const { result, events } = await realm.seen.during(() =>
        realm.get(`/v2/sessions/${claimsIn(url)["sid"]}?${query}`)
      )
      expect([result.status, events]).toEqual([200, []])
      return result
    }

    const orgsOf = (session: Reply) => Object(decodeJwt(session.string("token")))["orgs"]

    const only = (org: Reply | undefined) => [expect.objectContaining({ oid: org?.id, perm: ["x:y"], selected: true })]

    test("is the only org in later tokens, unless org_id overrides it", async () => {
      const { realm, visitor, email, orgs } = await prepared(2)
      await visitor.logIn(email)
      await visitor.follow()
      for (const [at, name] of [
        [PILOTS, "Pilots"],
        [DOCKERS, "Dockers"]
      ] as const) {
        await visitor.open("/accounts")
        await visitor.fill({}, name)
        const { leads } = visitor
        const [chosen, other] = [orgs[at], orgs[1 - at]]
        expect(orgsOf(await tokenAgain(realm, leads))).toEqual(only(chosen))
        expect(orgsOf(await tokenAgain(realm, leads, `org_id=${other?.id}`))).toEqual(only(other))
        const v1 = await realm.get(`/v1/sessions/${claimsIn(leads)["sid"]}?expand=token`)
        expect(orgsOf(v1)).toEqual(only(chosen))
        // Expanded memberships still include all orgs of the user.
        const expanded = await tokenAgain(realm, leads, "expand=memberships")
        expect([orgsOf(expanded), Object(expanded.body).user.memberships.length]).toEqual([only(chosen), 2])
      }
    })

    test("is a user's only org by default, and is unset when the user leaves the org or the org is closed", async () => {
      for (const leave of ["membership", "state", "org"]) {
        const { realm, visitor, email, user, orgs } = await prepared(1)
        await visitor.logIn(email)
        const { leads } = visitor
        expect(orgsOf(await tokenAgain(realm, leads))).toEqual(only(orgs[0]))
        const sailors = await realm.org({ name: "Sailors" })
        const [first] = (await realm.get(`/v2/memberships?user_id=${user.id}`)).items
        await realm.membership(user.id, sailors.id, { permissions: ["a:b"] })
        if (leave === "membership") await realm.delete(`/v2/memberships/${String(first?.["id"])}`)
        if (leave === "state") await realm.put(`/v2/orgs/${orgs[0]?.id}`, { org: { state: "inactive" } })
        if (leave === "org") await realm.delete(`/v2/orgs/${orgs[0]?.id}?force=true`)
        const again = await tokenAgain(realm, leads)
        expect([leave, orgsOf(again)]).toEqual([
          leave,
          [expect.objectContaining({ oid: sailors.id, perm: ["a:b"], selected: false })]
        ])
      }
    })

    test("is unset until the user selects an org, and in sessions created through the API", async () => {
      const { realm, visitor, email, user, orgs } = await prepared(2)
      const all = orgs.map(({ id }) => expect.objectContaining({ oid: id, selected: false }))
      await visitor.logIn(email)
      const [session] = (await realm.get(`/v2/sessions?user_id=${user.id}`)).items
      expect(orgsOf(await realm.get(`/v2/sessions/${String(session?.["id"])}`))).toEqual(all)
      const own = await realm.session(user.id)
      expect(orgsOf(await realm.get(`/v2/sessions/${own.id}`))).toEqual(all)
    })
  })

  test("can be selected only by a member", async () => {
    const { realm, visitor, email } = await prepared(2)
    const foreign = await realm.org()
    await visitor.logIn(email)
    for (const org_id of [foreign.id, "org_x", "", "constructor"]) {
      const reply = await visitor.send("/accounts", { way: "choose", org_id })
      expect([org_id, ...statusAndHeading(reply), reply.headers.get("location")]).toEqual([
        org_id,
        200,
        "Choose an organization",
        null
      ])
    }
  })

  test("are not offered for selection in a single_user realm", async () => {
    const { realm, visitor, email } = await prepared(2)
    await realm.put(`/v2/realms/${realm.id}`, { realm: { org_mode: "single_user" } })
    await visitor.logIn(email)
    expectTokenHandover(visitor.leads)
  })
})
