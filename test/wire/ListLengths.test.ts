import { expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { webhook } from "../support/hooks.ts"
import { wireService } from "../support/sallyport.ts"

const fill: Readonly<Record<string, (realm: GivenRealm) => Promise<unknown>>> = {
  "/v1/users": (realm) => realm.user(),
  "/v1/login_policies": (realm) => realm.connectedApp(),
  "/v1/app_hooks": (realm) => webhook(realm)
}

test.each(Object.entries(fill))("lists return 100 items by default: %s", async (path, make) => {
  const realm = await (await wireService()).given.realm()
  for (let created = 0; created < 104; created += 8) await Promise.all(Array.from({ length: 8 }, () => make(realm)))
  const page = await realm.get(path)
  expect([page.status, page.items.length, page.member("more_results")]).toEqual([200, 100, true])
})
