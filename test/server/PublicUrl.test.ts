import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { readSettings } from "#server/Config"

it.effect("C274: the public URL may contain only a path of plain characters", () =>
  Effect.gen(function* () {
    const { publicUrl } = yield* readSettings({ SALLYPORT_PUBLIC_URL: "https://example.com/auth/" })
    expect(publicUrl).toBe("https://example.com/auth")
    const refused = yield* Effect.flip(readSettings({ SALLYPORT_PUBLIC_URL: "https://example.com/a%20b" }))
    expect(refused.problems).toEqual([
      "The path of SALLYPORT_PUBLIC_URL may only contain letters, digits, hyphens, dots, underscores and tildes."
    ])
  })
)

it.effect("rejects a public URL at the host of an app", () =>
  Effect.gen(function* () {
    const apps = { SALLYPORT_LOGIN_DOMAIN: "id.example.com", SALLYPORT_REGION: "eu" }
    for (const url of [
      "https://auth.eu.id.example.com",
      "https://AUTH.eu.id.example.com:8443/path",
      "https://auth.eu.id.example.com./",
      "https://a.b.eu.id.example.com"
    ]) {
      expect((yield* Effect.flip(readSettings({ ...apps, SALLYPORT_PUBLIC_URL: url }))).problems).toEqual([
        "The host of SALLYPORT_PUBLIC_URL must not be below eu.id.example.com, because that is where the hosts of apps are (SALLYPORT_REGION and SALLYPORT_LOGIN_DOMAIN)."
      ])
    }
    for (const url of [
      "https://id.example.com",
      "https://eu.id.example.com",
      "https://xeu.id.example.com",
      "https://a.test"
    ])
      expect(yield* readSettings({ ...apps, SALLYPORT_PUBLIC_URL: url })).toMatchObject({ publicUrl: url })
    const byDefault = yield* Effect.flip(readSettings({ SALLYPORT_PUBLIC_URL: "http://notes.local.localhost:3000" }))
    expect(byDefault.problems).toHaveLength(1)
  })
)
