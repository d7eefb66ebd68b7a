import { createServer, type RequestListener } from "node:http"
import express from "express"
import fastify from "fastify"
import { Hono } from "hono"
import * as onExpress from "#client/frameworks/Express"
import * as onFastify from "#client/frameworks/Fastify"
import * as onHono from "#client/frameworks/Hono"
import type { LoginOptions } from "#client/frameworks/login/LoginOptions"
import * as onNext from "#client/frameworks/Next"
import type { Session } from "#client/frameworks/Session"

/** A running app. */
export interface RunningApp {
  readonly close: () => Promise<unknown>
}

/** Runs an app of a framework at a port. Its pages are the same in every framework. */
export type RunApp = (port: number, options: LoginOptions) => Promise<RunningApp>

/** The page for everybody. */
const home = (session: Session | null | undefined): string =>
  session == null
    ? '<h1>Notebook</h1><p>Nobody is logged in.</p><a href="/notes?page=2">Notes</a>'
    : `<h1>Notebook</h1><p>Hello ${session.user.first_name}.</p><form method="post" action="/logout"><button>Log out</button></form>`

/** The page for users. */
const notes = (session: Session, page: unknown): string =>
  `<h1>Notes of ${session.user.first_name}</h1><p>Page ${page}.</p>`

const serve = async (listener: RequestListener, port: number): Promise<RunningApp> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  return {
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    }
  }
}

const inExpress: RunApp = async (port, options) => {
  const login = onExpress.hostedLogin(options)
  await login.ready()
  const app = express()
    .use(login)
    .get("/", (request, response) => void response.send(home(request.session)))
    .get("/notes", onExpress.requireSession(), (request, response) => {
      response.send(notes(onExpress.sessionOf(request), request.query["page"]))
    })
    .post("/notes", onExpress.requireSession(), (_request, response) => void response.send("Written"))
  return serve(app, port)
}

const inFastify: RunApp = async (port, options) => {
  const app = fastify()
  await app.register(onFastify.hostedLogin(options))
  const onRequest = onFastify.requireSession()
  app.get("/", (request, reply) => reply.type("text/html").send(home(request.session)))
  app.get<{ Querystring: { page: string } }>("/notes", { onRequest }, (request, reply) =>
    reply.type("text/html").send(notes(onFastify.sessionOf(request), request.query.page))
  )
  app.post("/notes", { onRequest }, async () => "Written")
  await app.listen({ port, host: "127.0.0.1" })
  return app
}

/** Runs an app that maps a `Request` to a `Response`. */
const serveFetch = (answer: (request: Request) => Response | Promise<Response>, port: number) =>
  serve(async ({ method = "GET", url, headers }, response) => {
    const fields = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
    const {
      status,
      headers: sent,
      body
    } = await answer(new Request(`http://${headers.host}${url}`, { method, headers: fields }))
    response.statusCode = status
    for (const [name, value] of sent) response.appendHeader(name, value)
    response.end(body === null ? undefined : await new Response(body).text())
  }, port)

const inHono: RunApp = async (port, options) => {
  const app = new Hono<onHono.MaybeSessionEnv>()
  const login = onHono.hostedLogin(options)
  await login.ready()
  app.use(login)
  app.get("/", (c) => c.html(home(c.get("session"))))
  app.get("/notes", onHono.requireSession(), (c) => c.html(notes(c.get("session"), c.req.query("page"))))
  app.post("/notes", onHono.requireSession(), (c) => c.text("Written"))
  return serveFetch(app.fetch, port)
}

/** Calls the routes of an app as Next.js does, first `proxy.ts`. The page is a server component, which reads headers. */
const inNext: RunApp = async (port, options) => {
  const paths = { login: "/login", signup: "/signup", callback: "/callback", logout: "/logout" }
  const login = onNext.hostedLogin({ ...options, paths })
  await login.ready()
  const html = (text: string) => new Response(text, { headers: { "content-type": "text/html" } })
  const { GET, POST } = login.handlers
  const page = login.withSession((request, { session }) =>
    html(notes(session, new URL(request.url).searchParams.get("page")))
  )
  const write = login.withSession(() => new Response("Written"))
  return serveFetch(async (request) => {
    const { pathname } = new URL(request.url)
    const isRead = request.method === "GET"
    if (pathname === "/notes") return (isRead ? page : write)(request, { params: Promise.resolve({}) })
    if (pathname !== "/") return isRead ? GET(request) : POST(request)
    const { request: { headers } = request, headers: set = new Headers() } = await login.refresh(request)
    const response = html(home(await login.session(headers)))
    for (const [name, value] of set) response.headers.append(name, value)
    return response
  }, port)
}

/** The apps by framework. */
export const frameworkApps: Readonly<Record<string, RunApp>> = {
  Express: inExpress,
  Fastify: inFastify,
  Hono: inHono,
  "Next.js": inNext
}
