import { expect, inject, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { layer } from "#sql/Database"

const refusal = (url: string) =>
  layer({ _tag: "Postgres", url: Redacted.make(url) }).pipe(Layer.build, Effect.scoped, Effect.flip)

const changed = (change: (url: URL) => void): string => {
  const provided = inject("database")
  const url = new URL(provided.kind === "postgres" ? provided.url : "")
  change(url)
  return url.href
}

it.live("an unreachable server is reported without the password", () =>
  Effect.gen(function* () {
    const error = yield* refusal("postgres://somebody:hunter2@127.0.0.1:1/nowhere")
    expect(error).toMatchObject({ _tag: "DatabaseRefused", reason: "Away" })
    expect(error.message).toBe("PostgreSQL at 127.0.0.1:1/nowhere cannot be used: connect ECONNREFUSED 127.0.0.1:1.")
  })
)

it.live("a user unknown to the server is reported without the password", () =>
  Effect.gen(function* () {
    const error = yield* refusal(
      changed((url) => {
        url.username = "stranger"
        url.password = "hunter2"
      })
    )
    expect(error.reason).toBe("Unauthorized")
    expect(error.message).toContain("stranger")
    expect(error.message).not.toContain("hunter2")
  })
)

it.live("a missing database is reported by name", () =>
  Effect.gen(function* () {
    const error = yield* refusal(
      changed((url) => {
        url.pathname = "/missing"
      })
    )
    expect(error.reason).toBe("Unreachable")
    expect(error.message).toContain('database "missing" does not exist')
  })
)

it.live("an invalid database URL is rejected without appearing in the error", () =>
  Effect.gen(function* () {
    const error = yield* refusal("postgres://somebody:hunter2@[")
    expect(error.message).toBe("PostgreSQL cannot be used: Invalid URL.")
  })
)
