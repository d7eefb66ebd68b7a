import { describe, expect, test } from "vitest"
import { statusAndErrors } from "../support/logins.ts"
import { service } from "../support/sallyport.ts"

const newRealm = async (settings: object = {}) => (await service()).given.realm({ ...settings })

const reads = [
  ["v2", (id: string) => `/v2/sessions/${id}`],
  ["v1", (id: string) => `/v1/sessions/${id}?expand=token,memberships`]
] as const

describe("the new token of a session", () => {
  test.each(reads)("in %s is shown to every key of level read, unless the realm hides it", async (_, path) => {
    for (const [session_tokens, forReaders] of [
      [undefined, expect.any(String)],
      ["all", expect.any(String)],
      ["write", null]
    ] as const) {
      const realm = await newRealm(session_tokens === undefined ? {} : { session_tokens })
      const session = await realm.session((await realm.user()).id)
      const [reader, writer, admin] = [await realm.as("read"), await realm.as("write"), await realm.as("admin_realm")]
      const { result, events } = await realm.seen.during(async () => [
        ["read", (await reader.get(path(session.id))).member("token")],
        ["write", (await writer.get(path(session.id))).member("token")],
        ["admin_realm", (await admin.get(path(session.id))).member("token")],
        ["admin_all_realms", (await realm.get(path(session.id))).member("token")]
      ])
      const everyone = expect.any(String)
      expect([session_tokens, result]).toEqual([
        session_tokens,
        [
          ["read", forReaders],
          ["write", everyone],
          ["admin_realm", everyone],
          ["admin_all_realms", everyone]
        ]
      ])
      expect(events).toEqual([])
    }
  })

  test("is the only member hidden from keys of level read, and is absent unless requested", async () => {
    const realm = await newRealm({ session_tokens: "write" })
    const session = await realm.session((await realm.user()).id)
    const reader = await realm.as("read")
    const [mine, other] = [
      await reader.get(`/v2/sessions/${session.id}`),
      await realm.get(`/v2/sessions/${session.id}`)
    ]
    expect(mine.body).toEqual({ ...Object(other.body), token: null })
    expect(Object.keys(Object((await reader.get(`/v1/sessions/${session.id}`)).body))).not.toContain("token")
  })

  test.each([
    "v1",
    "v2"
  ])("is controlled by the realm setting session_tokens in %s, from level admin_realm", async (version) => {
    const { given } = await service()
    const realm = await given.realm()
    const path = `/${version}/realms/${realm.id}`
    const admin = await realm.as("admin_realm")
    expect((await realm.get(path)).member("session_tokens")).toBe("all")
    expect((await admin.put(path, { realm: { session_tokens: "write" } })).member("session_tokens")).toBe("write")
    expect((await (await realm.as("write")).put(path, { realm: { session_tokens: "all" } })).status).toBe(403)
    expect(statusAndErrors(await admin.put(path, { realm: { session_tokens: "none" } }))).toEqual([
      422,
      ["Session tokens must be one of: all, write."]
    ])
    expect((await realm.get(path)).member("session_tokens")).toBe("write")
    expect((await admin.put(path, { realm: { session_tokens: "all" } })).member("session_tokens")).toBe("all")
  })
})
