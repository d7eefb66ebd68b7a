import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { build } from "esbuild"
import { MailRenderer } from "#core/mail/MailRenderer"
import type { MailValues } from "#core/mail/MailTemplate"
import { ACCOUNT } from "#domain/Ids"
import { layer } from "#server/MailThread"

const values: MailValues = {
  code: null,
  deletion_at: null,
  email: "jo@example.test",
  event_at: null,
  expires_in: null,
  first_name: null,
  full_name: null,
  inviter_name: null,
  ip: null,
  org_name: null,
  app_name: "Harbour",
  realm_name: "Harbour",
  token: null,
  url: null,
  username: null
}

const mail = { renderer: "markdown", subject: "Hello", template: "# Hello" } as const

const render = Effect.gen(function* () {
  const renderer = yield* MailRenderer
  return yield* renderer.render(ACCOUNT, mail, values)
})

it("loads no part of Effect in the thread, because Effect would more than double the startup time", async () => {
  const { metafile } = await build({
    entryPoints: ["src/server/MailWorker.ts"],
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    treeShaking: false,
    metafile: true
  })
  const loaded = Object.keys(metafile.inputs)
  expect(loaded).toContain("src/core/mail/Rendering.ts")
  expect(loaded.filter((path) => path.startsWith("node_modules/effect/"))).toEqual([])
})

it.effect("renders an email within the limits", () =>
  Effect.gen(function* () {
    expect((yield* render).subject).toBe("Hello")
  }).pipe(Effect.provide(layer()))
)

it.effect("SEC-83: postpones an email whose thread gets no CPU time instead of rejecting the email as too slow", () =>
  Effect.gen(function* () {
    expect(yield* Effect.flip(render)).toMatchObject({ _tag: "RenderingBusy", retryAfterSeconds: 5 })
  }).pipe(Effect.provide(layer({ maxWallMillis: 0 })))
)

it.effect("lets an idle process exit without waiting for the thread", () =>
  Effect.gen(function* () {
    yield* render
    expect(process.getActiveResourcesInfo()).not.toContain("MessagePort")
  }).pipe(Effect.provide(layer()))
)
