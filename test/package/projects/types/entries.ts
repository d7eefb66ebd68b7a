// Every entry of the package as used by a TypeScript app. Only compiled, never run.
import { Effect, type Layer } from "effect"
import {
  AccessTokenRefused,
  type CreateUser,
  type Decode,
  type DecoderOptions,
  decoder,
  memoryReplays,
  protectedResource,
  RateLimited,
  Sallyport,
  type User,
  verifyAccessToken
} from "sallyport/client"
import type { HostedLogin, Session } from "sallyport/client/browser"
import { Sallyport as InEffect } from "sallyport/client/effect"
import { type core, routes } from "sallyport/server"
import { type TestOptions, TestSallyport } from "sallyport/testing"
import { type Started, start } from "sallyport/testing/promise"

const decode: Decode = decoder({ jwks: new URL("https://id.example.com/jwks"), issuer: "https://id.example.com" })

export const permissions = async (token: string): Promise<ReadonlyArray<string>> => {
  const session = await decode(token)
  return session?.user.memberships?.flatMap((membership) => membership.permissions) ?? []
}

export const addresses = async (key: string): Promise<ReadonlyArray<string>> => {
  const sallyport = new Sallyport({ url: "https://id.example.com", key })
  const found: Array<string> = []
  const seen = (user: Pick<User, "email">) => found.push(user.email ?? "")
  try {
    seen(await sallyport.users.create({ email: "ada@example.com", first_name: "Ada" }))
    for await (const user of sallyport.users.list({ state: "active" })) seen(user)
  } catch (error) {
    if (!(error instanceof RateLimited)) throw error
    const seconds: number | undefined = error.retryAfter
    console.log(seconds)
  }
  return found
}

/** The secrets of new resources, which their creator always gets. */
export const secrets = async (sallyport: Sallyport): Promise<ReadonlyArray<string>> => {
  const hook = await sallyport.hooks.create({ destination: "https://app.example.com/events" })
  const { secret } = await sallyport.hooks.rotateSecret(hook.id)
  const { key } = await sallyport.apiKeys.create({ name: "backend", level: "write", realm_id: "rl_1" })
  const { token } = await sallyport.sessions.create({ user_id: "usr_1" })
  return [hook.secret, secret, key, token]
}

/** The template of an email hook, which has no secret. */
export const template = async (sallyport: Sallyport, hook_type: "webhook" | "email"): Promise<string | null> => {
  const hook = await sallyport.hooks.create({ hook_type, event_type: ["user.created"] })
  return hook.hook_type === "email" ? hook.email_template : hook.secret
}

export const inEffect = Effect.gen(function* () {
  const sallyport = yield* InEffect
  const hook = yield* sallyport.hooks.create({ destination: "https://app.example.com/events" })
  return hook.secret.length
})

const issuer = "https://id.example.com/realms/rl_1"

export const clients = async (token: string): Promise<string> => {
  try {
    const { client_id, scopes } = await verifyAccessToken(token, { issuer, audience: "https://api.example.com" })
    return [client_id, ...scopes].join(" ")
  } catch (error) {
    if (error instanceof AccessTokenRefused && error.reason === "expired") return ""
    throw error
  }
}

export const api = protectedResource({ resource: "https://api.example.com", issuer, replays: memoryReplays() })
export const servers: ReadonlyArray<string> = api.metadata.authorization_servers

export const subjects = async (): Promise<ReadonlyArray<string>> => {
  const service: Started = await start({ startsAt: "2026-01-01T00:00:00Z" })
  const events = await service.advance({ days: 30 })
  await service.stop()
  return [...service.inbox("ada@example.com").map((mail) => mail.subject), ...events.map((event) => event.id)]
}

export const url: Effect.Effect<string, unknown> = Effect.gen(function* () {
  const service = yield* TestSallyport
  yield* service.advance("1 day")
  return service.url
}).pipe(Effect.provide(TestSallyport.layer({ logs: true })))

export const shown = (login: HostedLogin): Session | null => login.finish()?.session ?? login.session()

export const named: Effect.Effect<string | null, string> = Effect.gen(function* () {
  const sallyport = yield* InEffect
  const { email } = yield* sallyport.users.create({ email: "ada@example.com" })
  return email
}).pipe(
  Effect.catchTag("Invalid", (problem) => Effect.succeed(problem.errors.join(" "))),
  Effect.mapError((error) => error.message),
  Effect.provide(InEffect.layer({ url: "https://id.example.com", key: "sk_1" }))
)

/** Errors that the types must report: a decoder without keys, and unknown members. */
export const refused: readonly [
  keys: { readonly realmId: string } extends DecoderOptions ? never : true,
  option: "startsAtt" extends keyof TestOptions ? never : true,
  member: "mail" extends keyof CreateUser ? never : true
] = [true, true, true]

export type Options = Parameters<typeof core>[0]
export const surfaces: (options: Parameters<typeof routes>[0]) => Layer.Layer<never, unknown, unknown> = routes
