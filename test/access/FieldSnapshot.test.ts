import { describe, expect, test } from "vitest"
import { allows, type Level, levels } from "#domain/Level"
import { latest, webhook, withAccountHook } from "../support/hooks.ts"
import { type Operation, operations } from "../support/operations.ts"
import {
  CANARY,
  chapterOf,
  fullRealm,
  type VisibleMembers,
  variantsOf,
  visibleByLevel,
  visibleMembersIn
} from "../support/responseFields.ts"
import { service } from "../support/sallyport.ts"

interface Chapter {
  readonly title: string
  readonly byLevel: ReadonlyArray<readonly [Level, VisibleMembers]>
}

const settings = {
  api_key_policy: "encrypt",
  jwt_scopes: ["ar.orgs", "ar.custom"],
  resource_links: [{ resource: "org", title: "Orgs", url: "https://app.example.test/" }],
  roles: [{ name: "Editor", permissions: ["notes:write"] }]
}

const prepare = async () => {
  const { given } = await service()
  const realm = await given.realm(settings)
  return { realm, things: await fullRealm(realm, await given.realm({ jwt_algo: "rs256" })), given }
}

/** The realm and resources for each API version. Prepared only once, because the operations change them. */
const prepared = new Map<string, ReturnType<typeof prepare>>()

const readOf = async (operation: Operation) => {
  const ready = prepared.get(operation.version) ?? prepare()
  prepared.set(operation.version, ready)
  const { realm, things, given } = await ready
  const [chapters, texts]: [Array<Chapter>, Array<string>] = [[], []]
  const least = operation.level ?? "admin_all_realms"
  for (const variant of variantsOf(operation, realm, things, () => given.realm())) {
    const visible = await visibleByLevel(least, variant)
    const about = variant.about === "" ? "" : `, ${variant.about}`
    chapters.push({ title: `${operation.name.slice(3)}${about} (from ${least})`, byLevel: visible.byLevel })
    texts.push(...visible.texts)
  }
  return { chapters, texts }
}

const cachedReads = new Map<string, ReturnType<typeof readOf>>()

/** The responses to an operation at each level. Each is requested only once. */
const answersOf = (operation: Operation) => {
  const known = cachedReads.get(operation.name) ?? readOf(operation)
  cachedReads.set(operation.name, known)
  return known
}

describe.each(["v1", "v2"] as const)("%s", (version) => {
  const mine = operations.filter((one) => one.version === version)

  const answers = async () => {
    const all = []
    for (const operation of mine) all.push(await answersOf(operation))
    return { chapters: all.flatMap(({ chapters }) => chapters), texts: all.flatMap(({ texts }) => texts) }
  }

  const introduction = `# Members that each level sees under /${version}

The members of every response, by operation. All levels that may call the operation see the same value, unless a line
says from which level a member is shown. \`null\` and \`empty\` are the values of the test's resources. Written by
test/access/FieldSnapshot.test.ts; to accept intended differences, run it with \`-u\`.

`

  describe("SEC-53 (CVE-2026-40166): responses at every level", () => {
    test.each(mine)("$name", async (operation) => {
      expect((await answersOf(operation)).chapters.length).toBeGreaterThan(0)
    })
  })

  test("SEC-53 (CVE-2026-40166): responses have exactly the members in the snapshot, for each route and level", async () => {
    const { chapters } = await answers()
    const text = introduction + chapters.map(({ title, byLevel }) => chapterOf(title, byLevel)).join("\n")
    await expect(text).toMatchFileSnapshot(`fields-${version}.md`)
  })

  /** Secrets (C6 and others): the responses that contain them, their names, and the lowest level that sees them. */
  const secrets: ReadonlyArray<readonly [what: string, title: RegExp, way: RegExp, from: Level]> = [
    ["an hs256 jwt_key", /^realms (?!.*rs256)/, /^jwt_(key|secret)$/, "admin_realm"],
    ["a JWT key's key", /^jwt_keys/, /(^|\.)key$/, "admin_realm"],
    ["a webhook's secret", /^hooks/, /(^|\.)secret$/, "admin_realm"],
    ["an API key", /^api_keys/, /^key$/, "admin_realm"],
    ["a user's API key", /^(users|logins|credentials)/, /(^|\.)api_key$/, "write"],
    ["an event's token", /^events/, /(^|\.)token$/, "write"],
    ["a device's secret", /^credentials/, /^(otp_secret|provisioning_\w+)$/, "write"],
    ["an access token for another system", /^credentials/, /^access_token$/, "write"],
    ["a one-time token", /^(users|logins)/, /(^|_)token$/, "write"],
    ...(version === "v2" ? [["an invitation's token", /^invitations/, /(^|\.)token$/, "write"] as const] : [])
  ]

  describe("SEC-53, C6: secrets in responses", () => {
    test.each(secrets)("%s is shown only to levels that may use the secret", async (_what, about, way, from) => {
      const { chapters } = await answers()
      const shownTo = new Set<Level>()
      for (const { title, byLevel } of chapters.filter((chapter) => about.test(chapter.title))) {
        for (const [level, members] of byLevel) {
          const shown = [...members].filter(([name, telling]) => way.test(name) && telling === "shown")
          if (shown.length > 0) shownTo.add(level)
          if (!allows(level, from)) expect([title, level, shown]).toEqual([title, level, []])
        }
      }
      // Every level that may use the secret sees it.
      expect(levels.filter((level) => shownTo.has(level))).toEqual(levels.filter((level) => allows(level, from)))
    })

    test("never include secrets for level `read`, except public keys and session tokens", async () => {
      const { chapters } = await answers()
      const shown = chapters.flatMap(({ title, byLevel }) =>
        [...(byLevel.find(([level]) => level === "read")?.[1] ?? [])]
          .filter(([way, telling]) => telling === "shown" && /(secret|token|key|password|hash|digest|code)$/.test(way))
          .map(([way]) => `${title}: ${way}`)
      )
      expect(shown).toEqual([
        "realms get, with rs256 (from read): jwt_key",
        ...(version === "v1" ? ["realms get, with rs256 (from read): jwt_secret"] : []),
        "sessions get (from read): token"
      ])
    })

    test("omit client secrets and password hashes, except a new client's secret at creation", async () => {
      const { chapters, texts } = await answers()
      const others = chapters.filter(({ title }) => !/^(client_apps|login_policies) rotateSecret/.test(title))
      const ways = others.flatMap(({ byLevel }) => byLevel.flatMap(([, members]) => [...members.keys()]))
      expect(ways.filter((way) => /client_secret|password$|hash|digest|pepper/.test(way))).toEqual([])
      for (const text of texts)
        expect(text).not.toMatch(new RegExp(`${CANARY}|\\$argon2|\\{SSHA\\}|"v1\\.[0-9a-f]{8}\\.`))
    })
  })
})

describe("SEC-53, C6: webhooks", () => {
  test("show deliveries to a hook for all realms only to admin_all_realms", async () => {
    const { given } = await service()
    const realm = await given.realm()
    await withAccountHook(given.root, {}, async (hook) => {
      const own = await webhook(realm)
      await realm.org()
      const { eventId, notifications } = await latest(realm, "org.created")
      expect(notifications.map(({ hook_id }) => hook_id).toSorted()).toEqual([hook.id, own.id].toSorted())
      for (const level of ["read", "write", "admin_realm"] as const) {
        const event = await (await realm.as(level)).get(`/v2/events/${eventId}`)
        expect([event.member("notifications", 0, "hook_id"), visibleMembersIn(event).get("notifications")]).toEqual([
          own.id,
          "shown"
        ])
        expect([event.member("notifications", 1), event.text.includes(hook.id)]).toEqual([undefined, false])
      }
    })
  })
})
