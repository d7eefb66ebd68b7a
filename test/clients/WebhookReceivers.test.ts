import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { TestClock } from "effect/testing"
import express, { type ErrorRequestHandler, type RequestHandler } from "express"
import fastify, { type FastifyError } from "fastify"
import { Hono, type MiddlewareHandler } from "hono"
import { describe, expect, test } from "vitest"
import { receiveWebhooks as inEffect } from "#client/frameworks/EffectWebhooks"
import { receiveWebhooks as inExpress } from "#client/frameworks/Express"
import { receiveWebhooks as inFastify } from "#client/frameworks/Fastify"
import { receiveWebhooks as inHono } from "#client/frameworks/Hono"
import { receiveWebhooks as inNext } from "#client/frameworks/Next"
import type { ReceiverOptions } from "#client/frameworks/WebhookReceiver"
import { postedWebhook } from "./PostedWebhook.ts"

type Headers = Readonly<Record<string, string>>

/** Posts to `/events`. Errors inside the app return status 500 with the reason as text. */
type Post = (body: string, headers: Headers) => Promise<{ readonly status: number; readonly text: string }>

/** Runs an app that receives webhooks, until `use` is done. */
type Running = (options: ReceiverOptions, use: (post: Post) => Promise<void>) => Promise<void>

const answered = async (response: Response) => ({ status: response.status, text: await response.text() })

const URL = "http://app.example.test/events"

const toExpress =
  (before: ReadonlyArray<RequestHandler> = []): Running =>
  async (options, use) => {
    const app = express()
    for (const each of before) app.use(each)
    app.post("/events", inExpress(options))
    const failed: ErrorRequestHandler = (error, _request, response, _next) =>
      void response.status(500).send(String(error))
    app.use(failed)
    const server = app.listen(0, "127.0.0.1")
    try {
      await new Promise((resolve) => server.once("listening", resolve))
      const address = server.address()
      const port = typeof address === "object" ? address?.port : undefined
      const url = `http://127.0.0.1:${port}/events`
      await use(async (body, headers) => answered(await fetch(url, { method: "POST", body, headers })))
    } finally {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }

const toFastify: Running = async (options, use) => {
  const app = fastify()
  app.setErrorHandler<FastifyError>((error, _request, reply) => reply.code(error.statusCode ?? 500).send(String(error)))
  app.register(inFastify("/events", options))
  app.post("/others", async ({ body }) => ({ body }))
  try {
    await use(async (body, headers) => {
      const answer = await app.inject({ method: "POST", url: "/events", body, headers })
      return { status: answer.statusCode, text: answer.body }
    })
    const other = await app.inject({ method: "POST", url: "/others", body: { a: 1 } })
    expect(other.json()).toEqual({ body: { a: 1 } })
  } finally {
    await app.close()
  }
}

const toHono =
  (before: ReadonlyArray<MiddlewareHandler> = []): Running =>
  async (options, use) => {
    const app = new Hono()
    app.onError((error, c) => c.text(String(error), 500))
    for (const each of before) app.use(each)
    app.post("/events", inHono(options))
    await use(async (body, headers) => answered(await app.request(URL, { method: "POST", body, headers })))
  }

const toNext =
  (before: (request: Request) => Promise<unknown> = async () => undefined): Running =>
  async (options, use) => {
    const receive = inNext(options)
    await use(async (body, headers) => {
      const request = new Request(URL, { method: "POST", body, headers })
      await before(request)
      return receive(request).then(answered, (error: unknown) => ({ status: 500, text: String(error) }))
    })
  }

const toEffect: Running = async ({ on, otherwise, now, ...options }, use) => {
  const inside =
    <A extends ReadonlyArray<unknown>>(handle: (...args: A) => unknown) =>
    (...args: A) =>
      Effect.promise(async () => handle(...args))
  const { "user.created": created } = on
  const route = HttpRouter.add(
    "POST",
    "/events",
    Effect.gen(function* () {
      if (now !== undefined) yield* TestClock.setTime(Number(now()))
      return yield* inEffect({
        ...options,
        on: created === undefined ? {} : { "user.created": inside(created) },
        ...(otherwise === undefined ? {} : { otherwise: inside(otherwise) })
      })
    }).pipe(Effect.provide(TestClock.layer()))
  )
  const { handler, dispose } = HttpRouter.toWebHandler(route, { disableLogger: true })
  try {
    await use(async (body, headers) => answered(await handler(new Request(URL, { method: "POST", body, headers }))))
  } finally {
    await dispose()
  }
}

const receivers: Readonly<Record<string, Running>> = {
  Express: toExpress(),
  Fastify: toFastify,
  Hono: toHono(),
  "Next.js route handlers": toNext(),
  Effect: toEffect
}

/** A real message, the options to verify it, and the handled events. */
const message = async () => {
  const { post, secret, user } = await postedWebhook()
  const handled: Array<readonly [what: string, id: string]> = []
  const on: ReceiverOptions["on"] = {
    "user.created": async ({ user_id }, { id }) => {
      await Promise.resolve()
      handled.push([user_id, id])
    }
  }
  const options = { secret, now: () => new Date(post.at.epochMilliseconds), on }
  return {
    body: post.body,
    headers: post.headers,
    id: post.headers["webhook-id"] ?? "",
    user: user.id,
    options,
    handled
  }
}

describe.each(Object.entries(receivers))("%s", (_, running) => {
  test("passes an event to the handler of its type with the message's id, and returns 204", async () => {
    const { body, headers, id, user, options, handled } = await message()
    await running(options, async (post) => {
      expect(await post(body, headers)).toEqual({ status: 204, text: "" })
      expect(handled).toEqual([[user, id]])
    })
  })

  test("returns 204 for types without a handler, and calls the catch-all handler if present", async () => {
    const { body, headers, id, options, handled } = await message()
    await running({ ...options, on: {} }, async (post) => expect((await post(body, headers)).status).toBe(204))
    const otherwise: ReceiverOptions["otherwise"] = async ({ event_type }, { id }) => {
      handled.push([event_type, id])
    }
    const others = { ...options, on: { "user.deleted": () => expect.fail() }, otherwise }
    await running(others, async (post) => expect((await post(body, headers)).status).toBe(204))
    expect(handled).toEqual([["user.created", id]])
  })

  test("returns 400 with the reason for a message not sent by the service, without calling a handler", async () => {
    const { body, headers, options, handled } = await message()
    await running(options, async (post) => {
      const forged = await post(`${body} `, headers)
      expect([forged.status, JSON.parse(forged.text)]).toEqual([
        400,
        { error: "wrong_signature", message: expect.stringMatching(/\?$/) }
      ])
      const bare = await post(body, { "content-type": "application/json" })
      expect([bare.status, JSON.parse(bare.text).error]).toEqual([400, "missing_header"])
      expect((await post("", headers)).status).toBe(400)
      expect(handled).toEqual([])
    })
  })

  test("returns 500 if a handler fails, so that the message is sent again", async () => {
    const { body, headers, options } = await message()
    const on = { "user.created": () => Promise.reject(new Error("The disk is full.")) }
    await running({ ...options, on }, async (post) => expect((await post(body, headers)).status).toBe(500))
  })

  test("reads at most the maximum size of a message", async () => {
    const { headers, options } = await message()
    await running(options, async (post) => expect((await post("x".repeat(1_048_577), headers)).status).toBe(413))
  })
})

describe("a request body that the framework has already read", () => {
  const told = async (running: Running) => {
    const { body, headers, options } = await message()
    let answer = ""
    await running(options, async (post) => {
      const { status, text } = await post(body, headers)
      answer = `${status} ${text}`
    })
    return answer
  }

  test("is accepted if the raw bytes are still available", async () => {
    const verify = (request: object, _: unknown, bytes: Buffer) => void Reflect.set(request, "rawBody", bytes)
    for (const parser of [express.raw({ type: "*/*" }), express.text({ type: "*/*" }), express.json({ verify })])
      expect(await told(toExpress([parser]))).toBe("204 ")
    const reading: MiddlewareHandler = async (c, next) => {
      await c.req.json()
      await next()
    }
    expect(await told(toHono([reading]))).toBe("204 ")
  })

  test("throws an error that explains how to keep the raw body if the bytes are lost", async () => {
    expect(await told(toExpress([express.json()]))).toMatch(
      /^500 Error: The body was parsed .*before express\.json\(\)/
    )
    expect(await told(toNext((request) => request.json()))).toMatch(/^500 Error: The body was parsed .*clone\(\)/)
    const reading: MiddlewareHandler = async (c, next) => {
      await c.req.raw.json()
      await next()
    }
    expect(await told(toHono([reading]))).toMatch(/^500 Error: The body was parsed .*c\.req\.text\(\)/)
  })
})

test("creating a receiver without a secret throws", () => {
  for (const make of [inExpress, inHono, inNext, (options: ReceiverOptions) => inFastify("/events", options)])
    for (const secret of ["", "sk_x", []]) expect(() => make({ secret, on: {} })).toThrow(TypeError)
})
