import { describe, expect, test } from "vitest"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { appVersions, minimalApp } from "../support/apps.ts"
import { rejectionOf } from "../support/invitations.ts"
import { query } from "../support/query.ts"
import { clockedService, newRealm, type OwnService } from "../support/sallyport.ts"

/** The subdomains reserved for a realm. */
const reservedSubdomainsOf = async ({ sql }: OwnService, { id }: GivenRealm) => {
  const rows = await query(
    sql<{ readonly subdomain: string }>`select subdomain from released_subdomains where realm_id = ${id} order by 1`
  )
  return rows.map(({ subdomain }) => subdomain)
}

const taken = { status: 422, errors: ["Subdomain has already been taken."] }

describe.each(appVersions)("$path: subdomain", ({ path, wrapper }) => {
  const newSubdomain = () => uniqueText(`acme-${wrapper.replace("_", "-")}`)
  const newReservedSubdomain = () => uniqueText(`kept-${wrapper.replace("_", "-")}`)

  test("is converted to lowercase, can be changed and determines the app's domain", async () => {
    const realm = await newRealm()
    const subdomain = newSubdomain()
    const made = await realm.post(path, { [wrapper]: minimalApp({ subdomain: ` ${subdomain.toUpperCase()} ` }) })
    expect([made.status, made.body]).toMatchObject([201, { subdomain, domains: [`${subdomain}.local.localhost`] }])
    const other = newSubdomain()
    const changed = await realm.put(`${path}/${made.id}`, { [wrapper]: { subdomain: other } })
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { subdomain: other, domains: [`${other}.local.localhost`] }
    ])
    expect((await realm.post(path, { [wrapper]: minimalApp({ subdomain }) })).status).toBe(201)
  })

  test("returns 422 without changing the app if another app in any realm uses the subdomain", async () => {
    const [realm, other] = [await newRealm(), await newRealm()]
    const [first, second] = [await realm.connectedApp({ subdomain: newSubdomain() }), await other.connectedApp()]
    const subdomain = first.string("subdomain")
    for (const each of [realm, other]) {
      const events = await each.seen.caused(async () => {
        expect(rejectionOf(await each.post(path, { [wrapper]: minimalApp({ subdomain }) }))).toEqual(taken)
      })
      expect(events).toEqual([])
    }
    const events = await other.seen.caused(async () => {
      const change = { subdomain: subdomain.toUpperCase(), name: "Other" }
      expect(rejectionOf(await other.put(`${path}/${second.id}`, { [wrapper]: change }))).toEqual(taken)
    })
    expect(events).toEqual([])
    expect((await other.get(`/v2/client_apps/${second.id}`)).body).toEqual(second.body)
  })

  test("is assigned to only one of many apps created with the same subdomain concurrently", async () => {
    const realms = [await newRealm(), await newRealm()]
    const subdomain = newSubdomain()
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, n) => realms[n % 2]?.post(path, { [wrapper]: minimalApp({ subdomain }) }))
    )
    expect(replies.map((reply) => reply?.status).toSorted()).toEqual([201, ...Array.from({ length: 7 }, () => 422)])
    const apps = await Promise.all(realms.map((realm) => realm.get(path)))
    expect(apps.flatMap(({ items }) => items)).toHaveLength(1)
  })

  test("is assigned to only one of many apps changed to the same subdomain concurrently", async () => {
    const [realm, other] = [await newRealm(), await newRealm()]
    const subdomain = newSubdomain()
    const apps = [await realm.connectedApp(), await realm.connectedApp(), await realm.connectedApp()]
    const change = (id: string, to: unknown) => realm.put(`${path}/${id}`, { [wrapper]: { subdomain: to } })
    const replies = await Promise.all(apps.map(({ id }) => change(id, subdomain)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 422, 422])

    const [one, two] = [await realm.connectedApp(), await other.connectedApp()]
    const swap = [
      change(one.id, two.member("subdomain")),
      other.put(`${path}/${two.id}`, { [wrapper]: { subdomain: one.member("subdomain") } })
    ]
    expect((await Promise.all(swap)).map(({ status }) => status)).toEqual([422, 422])
  })

  const createAppAt = async (realm: GivenRealm, subdomain: string) => {
    const { result, events } = await realm.seen.during(() => realm.post(path, { [wrapper]: minimalApp({ subdomain }) }))
    return [result.status, events.map(({ event_type }) => event_type)]
  }

  test("SEC-103: stays reserved for its realm for 90 days after its app is deleted", async () => {
    const own = await clockedService()
    const [realm, other] = [await own.given.realm(), await own.given.realm()]
    const subdomain = newReservedSubdomain()
    const made = await realm.connectedApp({ subdomain })
    await realm.delete(`${path}/${made.id}`)
    expect(rejectionOf(await other.post(path, { [wrapper]: minimalApp({ subdomain }) }))).toEqual(taken)
    expect(await createAppAt(other, subdomain)).toEqual([422, []])
    const mine = await other.connectedApp()
    expect(rejectionOf(await other.put(`${path}/${mine.id}`, { [wrapper]: { subdomain } }))).toEqual(taken)
    // A subdomain derived from the name gets a suffix if it is reserved.
    const named = await other.post(path, { [wrapper]: minimalApp({ name: subdomain }) })
    expect([named.status, named.string("subdomain").startsWith(`${subdomain}-`)]).toEqual([201, true])

    const again = await realm.connectedApp({ subdomain })
    await own.advance("89 days")
    await realm.delete(`${path}/${again.id}`)
    await own.advance("89 days")
    expect(await createAppAt(other, subdomain)).toEqual([422, []])
    await own.advance("1 day")
    expect(await createAppAt(other, subdomain)).toEqual([201, ["login_policy.created"]])
    expect(await createAppAt(realm, subdomain)).toEqual([422, []])
    expect(await reservedSubdomainsOf(own, realm)).toEqual([])
  })

  test("SEC-103: stays reserved when an app changes its subdomain", async () => {
    const own = await clockedService()
    const [realm, other] = [await own.given.realm(), await own.given.realm()]
    const [subdomain, next] = [newReservedSubdomain(), newReservedSubdomain()]
    const made = await realm.connectedApp({ subdomain })
    expect((await realm.put(`${path}/${made.id}`, { [wrapper]: { subdomain: next } })).status).toBe(200)
    expect(await reservedSubdomainsOf(own, realm)).toEqual([subdomain])
    expect(await createAppAt(other, subdomain)).toEqual([422, []])
    expect((await realm.put(`${path}/${made.id}`, { [wrapper]: { subdomain } })).status).toBe(200)
    expect(await createAppAt(other, next)).toEqual([422, []])
    await own.advance("91 days")
    expect(await createAppAt(other, next)).toEqual([201, ["login_policy.created"]])
  })

  test("SEC-103: isn't assigned to another realm whose request waits for the deletion", async () => {
    const [realm, other] = [await newRealm(), await newRealm()]
    for (let round = 0; round < 5; round += 1) {
      const subdomain = newSubdomain()
      const { id } = await realm.connectedApp({ subdomain })
      const [, ...attempts] = await Promise.all([
        realm.delete(`${path}/${id}`),
        ...Array.from({ length: 3 }, () => other.post(path, { [wrapper]: minimalApp({ subdomain }) }))
      ])
      expect(attempts.map(({ status }) => status)).toEqual([422, 422, 422])
    }
    expect((await other.get(path)).items).toEqual([])
  })

  test.each([
    ["Ünïted Airways, Inc.", "united-airways-inc"],
    ["--x--", "x"],
    ["名前", "app"],
    ["Admin", "admin-"],
    [`${"a".repeat(47)} ${"b".repeat(200)}`, "a".repeat(47)]
  ])("is derived from the app's name if missing or blank: %s", async (text, stem) => {
    const realm = await newRealm()
    for (const blank of [undefined, null, "", " "]) {
      const made = await realm.post(path, { [wrapper]: minimalApp({ name: text, subdomain: blank }) })
      expect(made.status).toBe(201)
      expect(made.string("subdomain")).toMatch(new RegExp(`^${stem.replace(/-$/, "")}(-[a-z0-9]{7})?$`))
      if (stem.endsWith("-")) expect(made.string("subdomain").length).toBe(stem.length + 7)
    }
  })

  test("is unique for each of many apps created concurrently with the same name", async () => {
    const realm = await newRealm()
    const name = uniqueText("Many at once")
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => realm.post(path, { [wrapper]: minimalApp({ name }) }))
    )
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 201))
    expect(new Set(replies.map((reply) => reply.string("subdomain"))).size).toBe(6)
  })

  test.each([
    "-acme",
    "acme-",
    "ac_me",
    "ac.me",
    "acme.local.localhost",
    "ac me",
    "acmé",
    "xn--acm-dma",
    "ab--cd",
    "a".repeat(64),
    "a\u0000",
    "*",
    "@",
    "acme:3000"
  ])("returns 422 for %j, which isn't a DNS label", async (subdomain) => {
    const realm = await newRealm()
    const reply = await realm.post(path, { [wrapper]: minimalApp({ subdomain }) })
    const errors = ["Subdomain must be 1 to 63 letters, digits and hyphens, and can't start or end with a hyphen."]
    expect(rejectionOf(reply)).toEqual({ status: 422, errors })
  })

  test.each([
    "www",
    "ADMIN",
    "api",
    "mail",
    "login",
    "localhost",
    "wpad",
    "autodiscover",
    "mta-sts"
  ])("returns 422 for %s, which is reserved", async (subdomain) => {
    const realm = await newRealm()
    const made = await realm.connectedApp()
    const errors = ["Subdomain is reserved. Choose a different one."]
    for (const reply of [
      await realm.post(path, { [wrapper]: minimalApp({ subdomain }) }),
      await realm.put(`${path}/${made.id}`, { [wrapper]: { subdomain } })
    ]) {
      expect(rejectionOf(reply)).toEqual({ status: 422, errors })
    }
  })

  test("may have 1 to 63 characters", async () => {
    const realm = await newRealm()
    const longest = newSubdomain().padEnd(63, "a")
    expect((await realm.post(path, { [wrapper]: minimalApp({ subdomain: longest }) })).member("subdomain")).toBe(
      longest
    )
    const shortest = wrapper === "login_policy" ? "7" : "0"
    expect((await realm.post(path, { [wrapper]: minimalApp({ subdomain: shortest }) })).status).toBe(201)
  })
})
