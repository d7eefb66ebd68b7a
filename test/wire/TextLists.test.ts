import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { statusAndErrors } from "../support/logins.ts"
import { service } from "../support/sallyport.ts"

interface Case {
  readonly name: string
  readonly words: ReadonlyArray<string>
  /** A word that is rejected, and its message. */
  readonly wrong?: readonly [word: string, sentence: string]
  /** Sends the list in a create or update request. Returns the status and the words in the response. */
  readonly send: (realm: GivenRealm, list: unknown) => Promise<{ readonly status: number; readonly returned: unknown }>
  readonly between?: ReadonlyArray<string>
}

const byUpdate =
  (wrapper: string, member: string, path: (realm: GivenRealm) => string | Promise<string>) =>
  async (realm: GivenRealm, list: unknown) => {
    const reply = await realm.put(await path(realm), { [wrapper]: { [member]: list } })
    return { status: reply.status, returned: reply.member(member), errors: reply.errors }
  }

const provider = async (realm: GivenRealm, version: string) =>
  `/${version}/auth_providers/${(await realm.authProvider()).id}`

/** The cases that are the same in both versions. */
const under = (version: "v1" | "v2"): ReadonlyArray<Case> => {
  const [hook, app] = version === "v1" ? (["app_hook", "login_policy"] as const) : (["hook", "client_app"] as const)
  const hooks = version === "v1" ? "app_hooks" : "hooks"
  return [
    {
      name: "available_locales",
      words: ["en", "es"],
      send: byUpdate("realm", "available_locales", ({ id }) => `/${version}/realms/${id}`)
    },
    {
      name: "event_type",
      words: ["user.created", "user.updated"],
      wrong: ["user.nothing", 'Event type "user.nothing" does not exist. error_details lists every type.'],
      send: async (realm, list) => {
        const sent = { [hook]: { hook_type: "webhook", destination: "https://silent.example.test/", event_type: list } }
        const reply = await realm.post(`/${version}/${hooks}`, sent)
        return { status: reply.status, returned: reply.member("event_type"), errors: reply.errors }
      }
    },
    {
      name: "scopes",
      words: ["openid", "email"],
      send: byUpdate("auth_provider", "scopes", (realm) => provider(realm, version))
    },
    {
      name: "required_chars",
      words: ["lower", "digit"],
      wrong: ["letter", "Required chars must be one of: lower, upper, digit, symbol."],
      send: byUpdate("auth_provider", "required_chars", () => `/${version}/auth_providers/password`)
    },
    {
      name: "redirect_uris",
      words: ["https://app.example.test/a,b", "https://app.example.test/c"],
      between: [" ", "\n"],
      send: byUpdate(app, "redirect_uris", async (realm) => {
        const { id } = await realm.connectedApp()
        return `/${version}/${version === "v1" ? "login_policies" : "client_apps"}/${id}`
      })
    },
    {
      name: "permissions",
      words: ["reader", "writer"],
      send: async (realm, list) => {
        const [user, org] = [await realm.user(), await realm.org()]
        const membership = { user_id: user.id, org_id: org.id, permissions: list }
        const reply = await realm.post(`/${version}/memberships`, { membership })
        return { status: reply.status, returned: reply.member("permissions"), errors: reply.errors }
      }
    }
  ]
}

const cases: ReadonlyArray<readonly [name: string, Case]> = [
  ...(["v1", "v2"] as const).flatMap((version) =>
    under(version).map((one) => [`${version} ${one.name}`, one] as const)
  ),
  [
    "v1 jwt_fields",
    {
      name: "jwt_fields",
      words: ["memberships", "orgs"],
      wrong: ["all", "JWT fields must be one of: custom, memberships, orgs."],
      send: byUpdate("realm", "jwt_fields", ({ id }) => `/v1/realms/${id}`)
    }
  ],
  [
    "v2 jwt_scopes",
    {
      name: "jwt_scopes",
      words: ["ar.orgs", "ar.custom"],
      wrong: ["ar.all", "JWT scopes must be one of: ar.orgs, ar.custom."],
      send: byUpdate("realm", "jwt_scopes", ({ id }) => `/v2/realms/${id}`)
    }
  ],
  [
    "v2 permissions of an invitation",
    {
      name: "permissions",
      words: ["reader", "writer"],
      send: byUpdate("invitation", "permissions", async (realm) => `/v2/invitations/${(await realm.invitation()).id}`)
    }
  ]
]

describe("a list of words", () => {
  test.each(cases)("C47: %s: may be a string separated by spaces or commas", async (_, one) => {
    const realm = await (await service()).given.realm()
    const { status, returned } = await one.send(realm, one.words)
    expect([status < 300, returned]).toEqual([true, one.words])
    for (const between of one.between ?? [" ", ",", ", ", " \n"]) {
      const text = `${between === "," ? "" : " "}${one.words.join(between)} `
      expect([text, await one.send(realm, text)]).toEqual([
        text,
        expect.objectContaining({ status, returned: one.words })
      ])
    }
    expect((await one.send(realm, one.words[0])).returned).toEqual(one.words.slice(0, 1))
    if (one.wrong === undefined) return
    const [word, sentence] = one.wrong
    for (const list of [`${one.words[0]} ${word}`, [one.words[0], word]]) {
      expect([list, await one.send(realm, list)]).toEqual([
        list,
        expect.objectContaining({ status: 422, errors: [sentence] })
      ])
    }
  })

  test.each(cases)("C47: %s: can't be an object, a number or a boolean", async (_, one) => {
    const realm = await (await service()).given.realm()
    for (const list of [{ a: one.words[0] }, 5, true]) {
      expect([list, (await one.send(realm, list)).status]).toEqual([list, 422])
    }
  })

  test("C47: may contain org ids, user ids and permissions", async () => {
    const realm = await (await service()).given.realm()
    const orgs = [(await realm.org()).id, (await realm.org()).id]
    const created = await realm.post("/v2/users", {
      user: { email: "jo@example.test", credentials: [], org_ids: orgs.join(", "), permissions: "reader,writer" }
    })
    expect(created.status).toBe(201)
    const memberships = (await realm.get(`/v2/memberships?user_id=${created.id}`)).items
    expect(memberships.map(({ org_id, permissions }) => [org_id, permissions])).toEqual(
      orgs.map((id) => [id, ["reader", "writer"]])
    )
    const org = await realm.post("/v2/orgs", {
      org: { name: "Acme" },
      user_ids: `${created.id} ${(await realm.user()).id}`
    })
    expect(org.status).toBe(201)
    expect((await realm.get(`/v2/memberships?org_id=${org.id}`)).items).toHaveLength(2)
  })

  test("SEC-102: always has a maximum length", async () => {
    const realm = await (await service()).given.realm()
    const many = (n: number) => Array.from({ length: n }, (_, i) => `word-${i}`)
    for (const [path, body, sentence] of [
      [
        "/v2/users",
        { user: { email: "jo@example.test", credentials: [], org_ids: many(5_001) } },
        "Org may contain at most 5000 items."
      ],
      ["/v2/orgs", { org: { name: "Acme" }, user_ids: many(5_001).join(" ") }, "User may contain at most 5000 items."],
      ["/v2/orgs", { org: { name: "Acme" }, permissions: many(1_001) }, "Permissions may contain at most 1000 items."],
      [
        "/v2/realms",
        { realm: { name: "R", available_locales: many(101) } },
        "Available locales may contain at most 100 items."
      ],
      [
        "/v2/realms",
        {
          realm: {
            name: "R",
            resource_links: many(101).map((title) => ({ resource: "org", title, url: "https://a.test/" }))
          }
        },
        "Resource links may contain at most 100 items."
      ],
      [
        "/v2/hooks",
        { hook: { destination: "https://hooks.example.test", event_type: many(101) } },
        "Event type may contain at most 100 items."
      ]
    ] as const) {
      const { result, events } = await realm.seen.during(() => realm.post(path, body))
      expect([path, statusAndErrors(result), events]).toEqual([path, [422, [sentence]], []])
    }
  })
})
