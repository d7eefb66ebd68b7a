// The session in each framework, with the framework's own types. Only compiled, never run.
import express from "express"
import fastify from "fastify"
import { Hono } from "hono"
import * as onExpress from "sallyport/client/express"
import * as onFastify from "sallyport/client/fastify"
import * as onHono from "sallyport/client/hono"
import { receiveWebhooks, withSession } from "sallyport/client/next"

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
