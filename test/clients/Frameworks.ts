import { Effect, Layer, Schema } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import express from "express"
import fastify from "fastify"
import { Hono } from "hono"
import type { SessionOptions } from "#client/frameworks/Authenticate"
import { CurrentSession, RequireSession, requirePermission as requireInEffect } from "#client/frameworks/EffectSession"
import * as onExpress from "#client/frameworks/Express"
import * as onFastify from "#client/frameworks/Fastify"
import * as onHono from "#client/frameworks/Hono"
import * as onNext from "#client/frameworks/Next"
import type { Session } from "#client/frameworks/Session"

/** Sends a request to an app and returns a `fetch` response. */
export type Ask = (method: string, path: string, headers?: Readonly<Record<string, string>>) => Promise<Response>

/** The session as the apps report it. */
export const sessionSummary = ({ user, org, orgs, permissions }: Session) => ({
  user: user.id,
  org: org?.id ?? null,
  orgs: orgs.map(({ id }) => id),
  permissions
})

const ORIGIN = "http://app.example.test"

/** Runs an app of a framework until `use` is done. The routes are the same in every framework. */
export type Running = (options: SessionOptions, use: (ask: Ask) => Promise<void>) => Promise<void>

const inExpress: Running = async (options, use) => {
  const app = express()
  app.get("/hello", onExpress.readSession(options), (request, response) => {
    response.json({ user: request.session?.user.id ?? null })
  })
  app.use(onExpress.requireSession(options))
  app.all("/me", (request, response) => {
    response.json(sessionSummary(onExpress.sessionOf(request)))
  })
  app.get("/orgs/:org/bills", onExpress.requirePermission("billing:read"), (request, response) => {
    response.json({ org: request.session?.org?.id, of: request.params.org })
  })
  app.get("/bills", onExpress.requirePermission("billing:read"), (request, response) => {
    response.json({ org: request.session?.org?.id })
  })
  const server = app.listen(0, "127.0.0.1")
  try {
    await new Promise((resolve) => server.once("listening", resolve))
    const address = server.address()
    const port = typeof address === "object" ? address?.port : undefined
    await use((method, path, headers = {}) => fetch(`http://127.0.0.1:${port}${path}`, { method, headers }))
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

const inFastify: Running = async (options, use) => {
  const app = fastify()
  app.get("/hello", { onRequest: onFastify.readSession(options) }, async ({ session }) => ({
    user: session?.user.id ?? null
  }))
  await app.register(async (inside) => {
    inside.addHook("onRequest", onFastify.requireSession(options))
    inside.all("/me", async (request) => sessionSummary(onFastify.sessionOf(request)))
    const preHandler = onFastify.requirePermission("billing:read")
    inside.get<{ Params: { org: string } }>("/orgs/:org/bills", { preHandler }, async ({ session, params }) => ({
      org: session?.org?.id,
      of: params.org
    }))
    inside.get("/bills", { preHandler }, async ({ session }) => ({ org: session?.org?.id }))
  })
  try {
    await use(async (method, url, headers = {}) => {
      const answer = await app.inject({ method: method === "POST" ? "POST" : "GET", url, headers })
      const fields = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)])
      return new Response(answer.body, { status: answer.statusCode, headers: fields })
    })
  } finally {
    await app.close()
  }
}

const inHono: Running = async (options, use) => {
  const app = new Hono<onHono.SessionEnv>()
  app.get("/hello", onHono.readSession(options), (c) => c.json({ user: c.get("session")?.user.id ?? null }))
  app.use(onHono.requireSession(options))
  app.all("/me", (c) => c.json(sessionSummary(c.get("session"))))
  app.get("/orgs/:org/bills", onHono.requirePermission("billing:read"), (c) =>
    c.json({ org: c.get("session").org?.id, of: c.req.param("org") })
  )
  app.get("/bills", onHono.requirePermission("billing:read"), (c) => c.json({ org: c.get("session").org?.id }))
  await use(async (method, path, headers = {}) => app.request(path, { method, headers }))
}

const inNext: Running = async (options, use) => {
  const read = onNext.readSession(options)
  const billing = { ...options, permission: "billing:read" }
  const me = onNext.withSession(options, (_request, { session }) => Response.json(sessionSummary(session)))
  const bills = onNext.withSession<{ org?: string }>(billing, (_request, { session, params }) =>
    Response.json({ org: session.org?.id, ...(params.org === undefined ? {} : { of: params.org }) })
  )
  await use(async (method, path, headers = {}) => {
    const request = new Request(ORIGIN + path, { method, headers })
    const [, org] = /^\/orgs\/([^/]+)\/bills$/.exec(path) ?? []
    if (path === "/hello") return Response.json({ user: (await read(request.headers))?.user.id ?? null })
    if (path === "/me") return me(request, { params: Promise.resolve({}) })
    return bills(request, { params: Promise.resolve(org === undefined ? {} : { org }) })
  })
}

const Shown = Schema.Unknown

const sessions = HttpApiGroup.make("sessions")
  .add(
    HttpApiEndpoint.get("me", "/me", { success: Shown }),
    HttpApiEndpoint.post("change", "/me", { success: Shown }),
    HttpApiEndpoint.get("ofOrg", "/orgs/:org/bills", { params: { org: Schema.String }, success: Shown }),
    HttpApiEndpoint.get("bills", "/bills", { success: Shown })
  )
  .middleware(RequireSession)

const AppApi = HttpApi.make("app").add(sessions)

const inEffect: Running = async (options, use) => {
  const me = Effect.map(CurrentSession, sessionSummary)
  const bills = Effect.gen(function* () {
    yield* requireInEffect("billing:read")
    return { org: (yield* CurrentSession).org?.id }
  })
  const handlers = HttpApiBuilder.group(AppApi, "sessions", (all) =>
    all
      .handle("me", () => me)
      .handle("change", () => me)
      .handle("ofOrg", ({ params }) => Effect.map(bills, (found) => ({ ...found, of: params.org })))
      .handle("bills", () => bills)
  )
  const app = HttpApiBuilder.layer(AppApi).pipe(
    Layer.provide(handlers),
    Layer.provide(RequireSession.layer(options)),
    Layer.provide(HttpServer.layerServices)
  )
  const { handler, dispose } = HttpRouter.toWebHandler(app, { disableLogger: true })
  try {
    await use((method, path, headers = {}) => handler(new Request(ORIGIN + path, { method, headers })))
  } finally {
    await dispose()
  }
}

/** The frameworks with a middleware. */
export const frameworks: Readonly<Record<string, Running>> = {
  Express: inExpress,
  Fastify: inFastify,
  Hono: inHono,
  "Next.js route handlers": inNext,
  Effect: inEffect
}
