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
