import { describe, expect, test } from "vitest"
import { Api } from "#testing/Api"
import { addDomain, domainEvent, publish, stateOf, uniqueDomain, verifiedDomain, verify } from "../support/domains.ts"
import { now, unknownId } from "../support/invitations.ts"
import { newRealm, service } from "../support/sallyport.ts"

const notThere = { status: 404, errors: ["Domain could not be found."] }

describe("POST /v2/domains", () => {
  test("SEC-292: returns 201 with the domain in ASCII and its record, and records domain.created", async () => {
    const realm = await newRealm()
    const org = await realm.org()
    const { result, events } = await realm.seen.during(() => addDomain(realm, org.id, " Bücher.Example.COM. "))
    expect([result.status, result.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^dom_\w{26}$/),
        object: "domain",
        realm_id: realm.id,
        org_id: org.id,
        domain: "xn--bcher-kva.example.com",
        state: "pending",
        txt: {
          name: "_sallyport.xn--bcher-kva.example.com",
          value: expect.stringMatching(/^sallyport-verification=[\w-]{43}$/)
        },
        created_at: now,
        verified_at: null,
        checked_at: null,
        next_check_at: null,
        missed_since: null,
        problem: null
      }
    ])
    expect(events).toEqual([domainEvent("created", result)])
    expect((await realm.get(`/v2/domains/${result.id}`)).body).toEqual(result.body)
  })

  test("is found by its ID alone with a key for all realms", async () => {
    const realm = await newRealm()
    const domain = await addDomain(realm, (await realm.org()).id, uniqueDomain())
    const { transport, key } = await service()
    const found = await new Api(transport, key).get(`/v2/domains/${domain.id}`)
    expect([found.status, found.body]).toEqual([200, domain.body])
  })

  test.each([
    ["", "Domain can't be blank."],
    ["acme", "Domain must be the domain of email addresses, such as example.com."],
    ["https://acme.com", "Domain must be the domain of email addresses, such as example.com."],
    ["jo@acme.com", "Domain must be the domain of email addresses, such as example.com."],
    ["*.acme.com", "Domain must be the domain of email addresses, such as example.com."],
    ["_dmarc.acme.com", "Domain must be the domain of email addresses, such as example.com."],
    ["acme..com", "Domain must be the domain of email addresses, such as example.com."],
    ["-acme.com", "Domain must be the domain of email addresses, such as example.com."],
    ["192.0.2.1", "Domain must be the domain of email addresses, such as example.com."],
    [
      `${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.com`,
      "Domain must be the domain of email addresses, such as example.com."
    ],
    ["co.uk", "Domain is a public suffix, under which anyone can register names. Enter your own domain below it."],
    ["github.io", "Domain is a public suffix, under which anyone can register names. Enter your own domain below it."],
    ["рф", "Domain must be the domain of email addresses, such as example.com."],
    ["acme.internal", "Domain does not end in a public suffix such as com or co.uk."],
    ["Gmail.com", "Domain belongs to a provider of free mailboxes, so no organization can own it."],
    ["yahoo.co.uk", "Domain belongs to a provider of free mailboxes, so no organization can own it."]
  ])("rejects the domain %j", async (domain, message) => {
    const realm = await newRealm()
    const org = await realm.org()
    const { result, events } = await realm.seen.during(() => addDomain(realm, org.id, domain))
    expect([result.status, result.errors, events]).toEqual([422, [message], []])
  })

  test("rejects an unknown org, a closed org and a repeated domain", async () => {
    const realm = await newRealm()
    const [org, closed, elsewhere] = [await realm.org(), await realm.org(), await (await newRealm()).org()]
    await realm.put(`/v2/orgs/${closed.id}`, { org: { state: "closed" } })
    await addDomain(realm, org.id, "example.com")
    const replies = await Promise.all([elsewhere, closed, org].map(({ id }) => addDomain(realm, id, "EXAMPLE.com")))
    expect(replies.map(({ status, errors }) => [status, errors])).toEqual([
      [422, ["Org could not be found."]],
      [422, ["Org refers to a closed org."]],
      [422, ["Domain has already been taken."]]
    ])
  })

  test("limits an org to 100 domains, also in concurrent requests", async () => {
    const realm = await newRealm()
    const org = await realm.org()
    const replies = await Promise.all(
      Array.from({ length: 102 }, (_, place) => addDomain(realm, org.id, `d${place}.example.com`))
    )
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(100)
    expect(replies.find(({ status }) => status !== 201)?.errors).toEqual(["An org can have at most 100 domains."])
  })
})

describe("GET /v2/domains", () => {
  test("lists the realm's domains by org and state, a page at a time", async () => {
    const [{ dns }, realm] = [await service(), await newRealm()]
    const { orgId, domain } = await verifiedDomain(realm, dns)
    const pending = await addDomain(realm, orgId, uniqueDomain())
    const other = await addDomain(realm, (await realm.org()).id, uniqueDomain())
    const idsOf = async (query: string) => (await realm.get(`/v2/domains?${query}`)).items.map(({ id }) => id)
    expect(await idsOf("")).toEqual([domain.id, pending.id, other.id])
    expect(await idsOf("state=pending")).toEqual([pending.id, other.id])
    expect(await idsOf(`org_id=${orgId}`)).toEqual([domain.id, pending.id])
    expect(await idsOf(`org_id=${orgId}&state=verified`)).toEqual([domain.id])
    expect(await idsOf(`max_results=1&after=${domain.id}`)).toEqual([pending.id])
    expect(await idsOf("direction=desc&max_results=1&state=pending")).toEqual([other.id])
    expect((await realm.get("/v2/domains?state=proved")).status).toBe(422)
    const unknown = await realm.get("/v2/domains?after=dom_x")
    expect([unknown.status, unknown.errors]).toEqual([404, ["Domain could not be found."]])
  })

  test("returns 404 for a domain of another realm, for each operation", async () => {
    const realm = await newRealm()
    const { id } = await addDomain(realm, (await realm.org()).id, "example.com")
    const other = await newRealm()
    const replies = [
      await other.get(`/v2/domains/${id}`),
      await verify(other, id),
      await other.delete(`/v2/domains/${id}`),
      await realm.get(`/v2/domains/${unknownId(id)}`)
    ]
    for (const { status, errors } of replies) expect({ status, errors }).toEqual(notThere)
  })
})

describe("DELETE /v2/domains/{id}", () => {
  test("deletes the domain, records domain.deleted, and a new one has another record", async () => {
    const [{ dns }, realm] = [await service(), await newRealm()]
    const { orgId, domain, name } = await verifiedDomain(realm, dns)
    const { result, events } = await realm.seen.during(() => realm.delete(`/v2/domains/${domain.id}`))
    expect([result.status, events]).toEqual([204, [domainEvent("deleted", domain)]])
    expect((await realm.get(`/v2/domains/${domain.id}`)).status).toBe(404)
    const again = await addDomain(realm, orgId, name)
    expect(again.string("txt", "value")).not.toBe(domain.string("txt", "value"))
    expect(stateOf(await verify(realm, again.id))).toEqual([200, "pending", "wrong_value"])
  })

  test.each([
    ["is closed", "", "org.updated"],
    ["is deleted", "?force=true", "org.deleted"]
  ])("SEC-293: frees the domains of an org that %s", async (_, query, event_type) => {
    const [{ dns }, realm] = [await service(), await newRealm()]
    const { orgId, domain, name } = await verifiedDomain(realm, dns)
    const { events } = await realm.seen.during(() => realm.delete(`/v2/orgs/${orgId}${query}`))
    expect(events).toEqual([{ event_type, org_id: orgId }, domainEvent("deleted", domain)])
    const next = await addDomain(realm, (await realm.org()).id, name)
    publish(dns, domain, next)
    expect(stateOf(await verify(realm, next.id))).toEqual([200, "verified", null])
  })

  test("deletes the domains when the realm's orgs are reset", async () => {
    const [{ dns }, realm] = [await service(), await newRealm()]
    const { domain } = await verifiedDomain(realm, dns)
    await realm.post(`/v2/realms/${realm.id}/reset`, {})
    expect((await realm.get(`/v2/domains/${domain.id}`)).status).toBe(404)
    expect((await realm.get("/v2/domains")).items).toEqual([])
  })
})
