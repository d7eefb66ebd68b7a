import { expect, test } from "vitest"
import { sharedKit } from "../support/kit.ts"

test("verifies a domain by the records of setDns, and loses it a week after they are gone", async () => {
  const kit = await sharedKit()
  const realm = await kit.realm()
  const { sallyport } = realm
  const org = await sallyport.orgs.create({ name: "Acme" })
  const { id, txt } = await sallyport.domains.create({ org_id: org.id, domain: "kit.example.com" })
  expect((await sallyport.domains.verify(id)).problem?.code).toBe("nxdomain")
  kit.setDns(txt.name, { failure: "timeout" })
  expect((await sallyport.domains.verify(id)).problem?.code).toBe("timeout")
  kit.setDns(txt.name, ["other", txt.value])
  expect((await sallyport.domains.verify(id)).state).toBe("verified")
  kit.setDns(txt.name, "other")
  const events = await kit.advance("9 days")
  expect(events.filter(({ realm_id }) => realm_id === realm.id).map(({ event_type }) => event_type)).toEqual([
    "domain.check_failed",
    "domain.lost"
  ])
  expect((await sallyport.domains.list({ org_id: org.id })).items.map(({ state }) => state)).toEqual(["lost"])
})

test("rejects wrong names and records in the call itself", async () => {
  const kit = await sharedKit()
  const call = (...args: ReadonlyArray<unknown>) => Reflect.apply(kit.setDns, undefined, args)
  expect(() => call(" ", "text")).toThrow("Not a name in DNS: ' '.")
  for (const records of [1, null, [1], { failure: "late" }]) {
    expect(() => call("_sallyport.example.com", records)).toThrow(
      "Use a text, a list of texts, or { failure } with one of"
    )
  }
})
