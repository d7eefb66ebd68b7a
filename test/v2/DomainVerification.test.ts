import { describe, expect, test } from "vitest"
import { dnsFailures } from "#domain/DnsAnswer"
import { addDomain, domainEvent, stateOf, uniqueDomain, verify } from "../support/domains.ts"
import { now } from "../support/invitations.ts"
import { newRealm, ownService, service } from "../support/sallyport.ts"

describe("POST /v2/domains/{id}/verify", () => {
  test("verifies the domain when its record exists among others, and records domain.verified", async () => {
    const [{ dns }, realm] = [await service(), await newRealm()]
    const added = await addDomain(realm, (await realm.org()).id, uniqueDomain())
    dns.set(added.string("txt", "name"), ["v=spf1 -all", ` ${added.string("txt", "value")} `])
    const { result, events } = await realm.seen.during(() => verify(realm, added.id))
    expect(result.body).toEqual({
      ...(added.body as object),
      state: "verified",
      verified_at: now,
      checked_at: now,
      next_check_at: now + 86_400
    })
    expect(events).toEqual([domainEvent("verified", result)])
    const again = await realm.seen.during(() => verify(realm, added.id))
    expect([again.result.body, again.events]).toEqual([result.body, []])
  })

  test("shows the records found instead, cut to three of 120 characters", async () => {
    const [{ dns }, realm] = [await service(), await newRealm()]
    const added = await addDomain(realm, (await realm.org()).id, uniqueDomain())
    const name = added.string("txt", "name")
    dns.set(name, ["sallyport-verification=other", "a\u0007b", "x".repeat(300), "fourth"])
    const { result, events } = await realm.seen.during(() => verify(realm, added.id))
    const found = ["sallyport-verification=other", "a\ufffdb", `${"x".repeat(120)}…`]
    expect(result.member("problem")).toEqual({
      code: "wrong_value",
      message: `${name} has no TXT record with this value. It has other values: ${found.join(", ")}.`,
      found
    })
    expect([result.member("state"), result.member("checked_at"), events]).toEqual(["pending", now, []])
    const spanish = await realm.call("GET", `/v2/domains/${added.id}`, { headers: { "accept-language": "es" } })
    expect(spanish.member("problem", "message")).toContain("no tiene ningún registro TXT con este valor")
  })

  test.each(dnsFailures)("returns 200 with the problem when DNS answers %s, and records no event", async (failure) => {
    const [{ dns }, realm] = [await service(), await newRealm()]
    const added = await addDomain(realm, (await realm.org()).id, uniqueDomain())
    dns.set(added.string("txt", "name"), [added.string("txt", "value")], failure)
    const { result, events } = await realm.seen.during(() => verify(realm, added.id))
    expect([...stateOf(result), events]).toEqual([200, "pending", failure, []])
    expect(result.member("problem", "message")).toContain(added.string("txt", "name"))
  })

  test.each([
    ["64 KB of text", ["x".repeat(65_536)], "too_large"],
    ["101 records", Array.from({ length: 101 }, String), "too_large"],
    ["no records", [], "no_record"]
  ])("returns the problem for an answer with %s", async (_, txt, problem) => {
    const [{ dns }, realm] = [await service(), await newRealm()]
    const added = await addDomain(realm, (await realm.org()).id, uniqueDomain())
    dns.set(added.string("txt", "name"), txt)
    expect(stateOf(await verify(realm, added.id))).toEqual([200, "pending", problem])
  })

  test("SEC-294: allows 30 checks a minute in a realm", async () => {
    await ownService(
      async ({ given }) => {
        const realm = await given.realm()
        const { id } = await addDomain(realm, (await realm.org()).id, "example.com")
        for (let count = 0; count < 30; count++) expect((await verify(realm, id)).status).toBe(200)
        const { status, text } = await verify(realm, id)
        expect([status, text]).toEqual([429, expect.stringContaining("Too many checks of domains in this realm")])
        const other = await given.realm()
        const theirs = await addDomain(other, (await other.org()).id, "example.com")
        expect((await verify(other, theirs.id)).status).toBe(200)
      },
      { limits: "all" }
    )
  })
})
