import { expect, test } from "vitest"
import { publish, uniqueDomain } from "../support/domains.ts"
import { newRealm, service } from "../support/sallyport.ts"
import { cli, serviceEnvironment } from "./Cli.ts"

const place = async () => {
  const [{ dns }, realm] = [await service(), await newRealm()]
  const { key = "" } = await realm.as("admin_realm")
  const run = async (...words: ReadonlyArray<string>) =>
    cli(["domains", ...words], { environment: serviceEnvironment({ url: realm.url, key }) })
  return { dns, realm, key, run }
}

test("adds a domain, checks its record, lists and removes it", async () => {
  const { dns, realm, key, run } = await place()
  const [org, name] = [await realm.org(), uniqueDomain()]
  const added = await run("add", org.id, name.toUpperCase())
  const [{ id = "" } = {}] = (await realm.get("/v2/domains")).items as ReadonlyArray<{ readonly id?: string }>
  expect(added.out).toMatch(new RegExp(`^Domain: +${name}$`, "m"))
  expect(added.out).toMatch(new RegExp(`^TXT record: +_sallyport\\.${name}$`, "m"))
  expect(added.out).toContain(`then run sallyport domains verify ${id}`)
  expect((await run("verify", id)).out).toContain(`Problem:    The name _sallyport.${name} does not exist in DNS.`)

  publish(dns, await realm.get(`/v2/domains/${id}`))
  const { result, events } = await realm.seen.during(() => run("verify", id, "--json"))
  expect(JSON.parse(result.out)).toEqual((await realm.get(`/v2/domains/${id}`)).body)
  expect(events.map(({ event_type }) => event_type)).toEqual(["domain.verified"])
  expect((await run("get", id)).out).toMatch(/^State: +verified$/m)
  expect((await run("list", "--org", org.id)).out).toMatch(new RegExp(`^${id} +${name} +verified +${org.id} `, "m"))
  expect((await run("list", "--state", "lost")).out).toBe("No domains found.\n")

  expect(await run("remove", id)).toMatchObject({ code: 2, out: "" })
  const environment = serviceEnvironment({ url: realm.url, key })
  expect(await cli(["domains", "remove", id], { environment, answers: [name] })).toMatchObject({
    code: 0,
    out: `${name} (${id}) was removed.\n`
  })
  expect((await realm.get("/v2/domains")).items).toEqual([])
})

test("reports why a domain is rejected, and an unknown domain", async () => {
  const { realm, run } = await place()
  expect(await run("add", (await realm.org()).id, "co.uk")).toMatchObject({
    code: 1,
    err: expect.stringContaining("Domain is a public suffix")
  })
  expect(await run("verify", "dom_1")).toMatchObject({
    code: 1,
    err: expect.stringContaining("Domain could not be found")
  })
})
