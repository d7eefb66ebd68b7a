import { expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { query } from "../support/query.ts"
import { isolatedService, service } from "../support/sallyport.ts"

const secret = "canary-of-a-client-secret"
const another = "canary-of-another-secret"

test("SEC-47: no response, error or event shows a client secret, at any level", async () => {
  const { given } = await service()
  const realm = await given.realm()
  const replies: Array<Reply> = []
  const keep = async (reply: Promise<Reply>) => {
    replies.push(await reply)
    return reply
  }
  for (const version of ["v1", "v2"]) {
    const path = `/${version}/auth_providers`
    const provider = { provider_type: "google", client_id: "client", client_secret: secret }
    const headers = { "idempotency-key": `secret-${version}` }
    const made = await keep(realm.post(path, { auth_provider: provider }, headers))
    await keep(realm.post(path, { auth_provider: provider }, headers))
    await keep(realm.post(path, { auth_provider: { ...provider, provider_type: secret, state: secret } }))
    await keep(realm.post(path, { auth_provider: provider }))
    await keep(realm.put(`${path}/${made.id}`, { auth_provider: { client_secret: another } }))
    await keep(realm.put(`${path}/${made.id}`, { auth_provider: { client_secret: secret.repeat(100) } }))
    await keep(realm.post(path, `{"auth_provider": {"client_secret": "${secret}"`))
    for (const level of ["read", "write", "admin_realm"] as const) {
      const caller = await realm.as(level)
      for (const end of ["", `/${made.id}`, "/google", "?provider_type=google"]) await keep(caller.get(path + end))
      await keep(caller.get(`/${version}/events`))
      await keep(caller.get(`/${version}/realms/${realm.id}`))
    }
    await keep(realm.delete(`${path}/${made.id}`))
  }
  expect(replies.map(({ status }) => status).toSorted()).toEqual(expect.arrayContaining([200, 201, 204, 400, 422]))
  for (const { text } of replies) expect(text).not.toMatch(/canary|client_secret":/)
})

test("SEC-47: client secrets are encrypted in the database, each one differently", () =>
  isolatedService(async ({ given, sql }) => {
    const realm = await given.realm()
    const rows = () => query(sql<{ id: string; client_secret: string | null }>`select * from auth_providers`)
    const [one, two] = [
      await realm.authProvider({ client_secret: secret }),
      await realm.authProvider({ client_secret: secret })
    ]
    const before = await rows()
    expect(JSON.stringify(before)).not.toContain("canary")
    const sealed = before.flatMap(({ client_secret }) => client_secret ?? [])
    expect(sealed).toEqual([one, two].map(() => expect.stringMatching(/^v1\.[0-9a-f]{8}\.[\w-]+$/)))
    expect(new Set(sealed).size).toBe(2)

    await realm.put(`/v2/auth_providers/${one.id}`, { auth_provider: { client_secret: another } })
    const after = await rows()
    const changed = after.filter(({ client_secret }) => client_secret !== null && !sealed.includes(client_secret))
    expect(changed.map(({ id }) => id)).toEqual([one.id])
    expect(JSON.stringify(after)).not.toContain("canary")
  }))
