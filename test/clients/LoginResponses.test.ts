import express, { type Response as ExpressReply } from "express"
import fastify, { type FastifyReply } from "fastify"
import { Hono } from "hono"
import { beforeAll, describe, expect, test } from "vitest"
import * as onExpress from "#client/frameworks/Express"
import * as onFastify from "#client/frameworks/Fastify"
import * as onHono from "#client/frameworks/Hono"
import type { HostedLoginOptions } from "#client/frameworks/login/LoginOptions"
import * as onNext from "#client/frameworks/Next"
import { type LoginApp, loginApp } from "./LoginVisitor.ts"

let app: LoginApp
let cookie: string

beforeAll(async () => {
  app = await loginApp()
  const { token } = await app.token((await app.user({ first_name: "Ada" })).id)
  cookie = `__Host-session=${token}`
  // The service's clock is stopped, so its tokens are always old, and each response sets a new one.
  app.pass(61)
})

const PUBLIC = "public, max-age=3600"

/** The caching of a response, and the names of the cookies that it sets. */
const summary = (response: Response) => ({
  cache: response.headers.get("cache-control"),
  cookies: response.headers.getSetCookie().map((one) => one.split("=", 1).join())
})

type Ask = (path: string) => Promise<Response>

/** Ways in which an Express handler makes its response cacheable. */
const expressHandlers: Readonly<Record<string, (response: ExpressReply) => unknown>> = {
  "/setHeader": (response) => response.setHeader("Cache-Control", PUBLIC).end(),
  "/send": (response) => response.set("Cache-Control", PUBLIC).send("x"),
  "/writeHead": (response) => response.writeHead(200, { "Cache-Control": PUBLIC }).end(),
  "/reason": (response) => response.writeHead(200, "Fine", { "cache-control": PUBLIC, "x-other": "1" }).end(),
  "/list": (response) => response.writeHead(200, ["Cache-Control", PUBLIC, "x-other", "1"]).end(),
  "/write": (response) => {
    response.setHeader("cache-control", PUBLIC)
    response.write("x")
    response.end()
  }
}

const inExpress = async (options: HostedLoginOptions, use: (ask: Ask) => Promise<void>) => {
  const server = express()
    .use(onExpress.hostedLogin(options))
    .use("/again", async (request, response) => {
      await onExpress.refreshSession(request, response)
      response.cookie("other", "1").set("cache-control", PUBLIC).send("x")
    })
    .use((request, response) => expressHandlers[request.path]?.(response))
    .listen(0, "127.0.0.1")
  try {
    await new Promise((resolve) => server.once("listening", resolve))
    const address = server.address()
    const port = typeof address === "object" ? address?.port : undefined
    await use((path) => fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie } }))
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}

const fastifyHandlers: Readonly<Record<string, (reply: FastifyReply) => unknown>> = {
  "/header": (reply) => reply.header("Cache-Control", PUBLIC).send("x"),
  "/raw": (reply) => reply.hijack().raw.writeHead(200, { "cache-control": PUBLIC, "set-cookie": "x=1" }).end()
}

/** Asserts that no cache may store the responses, and that a second refresh replaces the first one's cookie. */
const expectPrivate = async (ask: Ask, paths: ReadonlyArray<string>) => {
  for (const path of paths) {
    const { cache, cookies } = summary(await ask(path))
    expect([path, cache, cookies.length]).toEqual([path, "no-store", 1])
  }
  expect(summary(await ask("/again"))).toEqual({ cache: "no-store", cookies: ["__Host-session", "other"] })
}

describe("responses that set the session cookie", () => {
  test("SEC-276: are never cached in Express, whatever the handler sets, and set each cookie once", () =>
    inExpress(app.options, (ask) => expectPrivate(ask, Object.keys(expressHandlers))))

  test("SEC-276: are never cached in Fastify, whatever the handler sets, and set each cookie once", async () => {
    const server = fastify()
    await server.register(onFastify.hostedLogin(app.options))
    server.addHook("onSend", async (_, reply) => void reply.header("cache-control", PUBLIC))
    for (const [path, handle] of Object.entries(fastifyHandlers)) server.get(path, (_, reply) => handle(reply))
    server.get("/again", async (request, reply) => {
      await onFastify.refreshSession(request, reply)
      return reply.header("set-cookie", "other=1").send("x")
    })
    try {
      await expectPrivate(async (url) => {
        const { statusCode: status, headers } = await server.inject({ method: "GET", url, headers: { cookie } })
        const pairs = Object.entries(headers).flatMap(([name, value]) =>
          [value].flat().map((one): [string, string] => [name, String(one)])
        )
        return new Response(null, { status, headers: pairs })
      }, Object.keys(fastifyHandlers))
    } finally {
      await server.close()
    }
  })

  test("SEC-276: are never cached in Hono, whatever the handler sets, and set each cookie once", async () => {
    const server = new Hono<onHono.MaybeSessionEnv>()
    server.use(onHono.hostedLogin(app.options))
    server.get("/header", (c) => c.text("x", 200, { "cache-control": PUBLIC }))
    server.get("/response", () => Response.json({}, { headers: { "cache-control": PUBLIC } }))
    server.get("/error", () => {
      throw new Error("no")
    })
    server.onError((_, c) => c.text("no", 500, { "cache-control": PUBLIC }))
    server.get("/again", async (c) => {
      await onHono.refreshSession(c)
      const earlier = c.get("session")
      await onHono.refreshSession(c)
      expect(c.get("session")?.user_id).toBe(earlier?.user_id)
      return c.text("x", 200, { "set-cookie": "other=1", "cache-control": PUBLIC })
    })
    const ask: Ask = async (path) => server.request(path, { headers: { cookie } })
    for (const path of ["/header", "/response", "/error"])
      expect([path, summary(await ask(path))]).toEqual([path, { cache: "no-store", cookies: ["__Host-session"] }])
    expect(summary(await ask("/again"))).toEqual({ cache: "no-store", cookies: ["other", "__Host-session"] })
  })

  test("SEC-276: are never cached in Next.js, and pass the new cookie on to the page", async () => {
    const paths = { callback: "/callback" }
    const login = onNext.hostedLogin({ ...app.options, paths })
    const request = (path: string, one = cookie) =>
      new Request(`https://app.example.test${path}`, { headers: { cookie: `a=1; ${one}; b=2` } })
    const route = login.withSession(() => Response.json({}, { headers: { "cache-control": PUBLIC } }))
    expect(summary(await route(request("/notes"), { params: Promise.resolve({}) }))).toEqual({
      cache: "no-store",
      cookies: ["__Host-session"]
    })
    // With this app's clock, the new token isn't old.
    const other = onNext.hostedLogin({ ...app.options, paths, refreshAfter: 120 })
    const { headers, ...changed } = await other.refresh(request("/notes"))
    expect(summary(new Response(null, headers === undefined ? {} : { headers }))).toEqual({
      cache: "no-store",
      cookies: ["__Host-session"]
    })
    const passedOn = changed.request?.headers.get("cookie")
    expect(passedOn).toMatch(/^a=1; b=2; __Host-session=eyJ[^;]+$/)
    expect((await login.session(new Headers({ cookie: passedOn ?? "" })))?.user.first_name).toBe("Ada")
    const ended = await other.refresh(request("/notes", "__Host-session=x"))
    expect(ended.request?.headers.get("cookie")).toBe("a=1; b=2")
    // Nothing has to change.
    expect(await other.refresh(request("/notes", `__Host-session=${passedOn?.split("=").at(-1)}`))).toEqual({})
  })

  test("are left to the login on its own paths in Next.js", async () => {
    const login = onNext.hostedLogin({ ...app.options, paths: { callback: "/callback" } })
    for (const path of ["/auth/login?return_to=/", "/callback?token=x&state=y", "/auth/logout"]) {
      const headers = { cookie }
      expect(await login.refresh(new Request(`https://app.example.test${path}`, { headers }))).toEqual({})
    }
    expect(app.calls.filter((call) => call.startsWith("GET /v2/sessions/")).length).toBeGreaterThan(0)
  })
})
