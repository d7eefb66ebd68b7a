// The session in each framework, with the framework's own types. Only compiled, never run.
import express from "express"
import fastify from "fastify"
import { Hono } from "hono"
import * as onExpress from "sallyport/client/express"
import * as onFastify from "sallyport/client/fastify"
import * as onHono from "sallyport/client/hono"
import { hostedLogin, receiveWebhooks, withSession } from "sallyport/client/next"

const options = { issuer: "https://id.example.com/realms/rl_1", cookie: "__Host-session" }

const app = express()
app.get("/me", onExpress.requireSession(options), (request, response) => {
  response.json(request.session?.user.email)
})

const server = fastify()
server.get("/me", { onRequest: onFastify.requireSession(options) }, async (request) => request.session?.org?.name)

export const worker = new Hono<onHono.SessionEnv>()
worker.use(onHono.requireSession(options))
worker.get("/me", (context) => context.json(context.get("session").permissions))

export const GET = withSession<{ org: string }>(
  { ...options, permission: "billing:read" },
  (_request, { session, params }) => Response.json({ org: params.org, user: session.user_id })
)

export const POST = receiveWebhooks({
  secret: "whsec_1",
  on: { "user.created": (event) => console.log(event.user_id) }
})

const { SALLYPORT_KEY: key, CLIENT_SECRET: clientSecret } = process.env
const hosted = { url: "https://id.example.com", key, app: "lpl_1" }

app.use(onExpress.hostedLogin({ ...hosted, afterLogin: "/notes", orgParam: "org" }))
app.get("/orgs/:org", onExpress.requireSession(), async (request, response) => {
  const session = await onExpress.refreshSession(request, response)
  response.json([request.params.org, request.session?.org?.id, session?.user.name])
})

await server.register(onFastify.hostedLogin(hosted))
server.get("/notes", { onRequest: onFastify.requireSession() }, async (request, reply) => {
  const session = await onFastify.refreshSession(request, reply)
  return onFastify.sessionOf(request).user_id === session?.user_id
})

const visited = new Hono<onHono.MaybeSessionEnv>()
visited.use(onHono.hostedLogin(hosted))
visited.get("/", (context) => context.json(context.get("session")?.user.email ?? null))
visited.get("/notes", onHono.requireSession(), (context) => context.json(context.get("session").user.email))

const login = hostedLogin({
  issuer: "https://id.example.com/realms/rl_1",
  clientId: "lpl_2",
  clientSecret,
  publicUrl: "https://app.example.com"
})
export const handlers: { GET: (request: Request) => Promise<Response> } = login.handlers
export const PUT = login.withSession<{ note: string }>(
  (_request, { session, params }) => Response.json({ note: params.note, by: session.user.name }),
  { permission: "notes:write" }
)
