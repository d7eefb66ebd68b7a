import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"
import { isRaised, limitNames, limits, type RealmLimits } from "#domain/Limit"
import { integer } from "../support/arbitraries.ts"
import { service } from "../support/sallyport.ts"

describe.each(["v1", "v2"])("SEC-88: the limits of a realm in %s", (version) => {
  const path = (id: string) => `/${version}/realms/${id}`

  it("can be raised above the defaults only with a key that manages all realms", async () => {
    const realm = await (await service()).given.realm()
    const own = await realm.as("admin_realm")
    for (const name of limitNames) {
      const { result, events } = await realm.seen.during(() =>
        own.put(path(realm.id), { realm: { name: "Another", limits: { [name]: limits[name].most + 1 } } })
      )
      expect([name, result.status, result.body]).toMatchObject([
        name,
        403,
        {
          errors: ["Limits above the defaults require an API key of level admin_all_realms."],
          error_details: [{ field: "limits", code: "limits_raised" }]
        }
      ])
      expect(events).toEqual([])
    }
    expect((await realm.get(path(realm.id))).body).toMatchObject({ limits: {} })
    const raised = await realm.put(path(realm.id), { realm: { limits: { mails: 50 } } })
    expect([raised.status, raised.member("limits")]).toEqual([200, { mails: 50 }])
  })

  it("can be lowered and restored by the realm itself", async () => {
    const realm = await (await service()).given.realm()
    const own = await realm.as("admin_realm")
    await realm.put(path(realm.id), { realm: { limits: { mails: 50 } } })
    const put = async (to: RealmLimits | null) => {
      const { status, body } = await own.put(path(realm.id), { realm: { limits: to } })
      return [status, status === 200 ? Reflect.get(Object(body), "limits") : undefined]
    }
    expect(await put({ mails: 50, reads: 7 })).toEqual([200, { mails: 50, reads: 7 }])
    expect(await put({ mails: 51 })).toEqual([403, undefined])
    expect(await put({ mails: 40, reads: 1_000 })).toEqual([200, { mails: 40, reads: 1_000 }])
    expect(await put({ mails: 50 })).toEqual([403, undefined])
    expect(await put(null)).toEqual([200, {}])
    expect(await put({ mails: 4 })).toEqual([403, undefined])
    expect(await put({ mails: 3 })).toEqual([200, { mails: 3 }])
    for (const wrong of [{ mails: 0 }, { reads: 1_000_001 }, { visitor_mails: -1 }]) {
      expect(await put(wrong)).toEqual([422, undefined])
    }
  })
})

const change = Schema.Struct(
  Object.fromEntries(limitNames.map((name) => [name, Schema.optionalKey(integer(1, 2_000))]))
)

it.prop(
  "SEC-88: a realm can never raise its own limit above the default or the granted value",
  { given: change, changes: Schema.Array(change) },
  ({ given, changes }) => {
    let held: RealmLimits = given
    for (const next of changes) if (!isRaised(held, next)) held = next
    for (const name of limitNames) {
      expect(held[name] ?? 0).toBeLessThanOrEqual(Math.max(limits[name].most, given[name] ?? 0))
    }
  }
)
