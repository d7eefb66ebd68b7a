import { expect, inject, test } from "vitest"
import type { Level } from "#domain/Caller"
import { CANARY, chapterOf, fullRealm, type Told, toldByLevel, variantsOf } from "../support/fields.ts"
import { withNullRealm } from "../support/hooks.ts"
import { operations } from "../support/operations.ts"
import { service } from "../support/sallyport.ts"

/** Each database gets one version: what is beneath both is the same. */
const version = inject("database").kind === "embedded" ? "v1" : "v2"

interface Chapter {
  readonly title: string
  readonly told: ReadonlyArray<readonly [Level, Told]>
}

const settings = {
  reference: "main",
  api_key_policy: "encrypt",
  jwt_scopes: ["ar.orgs", "ar.custom"],
  resource_links: [{ resource: "org", title: "Orgs", url: "https://app.example.test/" }]
}

/** What every operation answers every level. */
const chapters = async () => {
  const { given } = await service()
  const realm = await given.realm(settings)
  const things = await fullRealm(realm, await given.realm({ jwt_algo: "rs256" }))
  const [found, texts]: [Array<Chapter>, Array<string>] = [[], []]
  for (const operation of operations.filter((one) => one.version === version)) {
    const least = operation.level ?? "admin_all_realms"
    for (const variant of variantsOf(operation, realm, things, () => given.realm())) {
      const reading = await toldByLevel(least, variant)
      const about = variant.about === "" ? "" : `, ${variant.about}`
      found.push({ title: `${operation.name}${about} (from ${least})`, told: reading.told })
      texts.push(...reading.texts)
    }
  }
  return { found, texts }
}

test("x", async () => {
  const { found } = await chapters()
  const text = found.map(({ title, told }) => chapterOf(title, told)).join("\n")
  await expect(text).toMatchFileSnapshot(`fields-${version}.md`)
})
