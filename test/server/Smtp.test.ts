import { once } from "node:events"
import { createServer, type Socket } from "node:net"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { Effect, Exit, Fiber, Layer, Scope } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect, test } from "vitest"
import { Mailer, type MailRefused } from "#platform/Mailer"
import { needsStartTls } from "#server/Smtp"
import {
  answer,
  certificate,
  certificateKey,
  fields,
  fieldsOf,
  mail,
  mailer,
  refusal,
  sends,
  soon,
  withMailServer
} from "./MailServer.ts"

/** What a refusal says; errors hide their message from comparisons. */
const told = ({ message, final }: MailRefused) => ({ message, final })
/** A server that does what `speak` says with each connection, and its address. */
const withServer = async (speak: (socket: Socket) => void, use: (address: string) => Promise<void>) => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => {})
    socket.on("close", () => sockets.delete(socket))
    speak(socket)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  await use(`127.0.0.1:${typeof address === "object" ? address?.port : 0}`).finally(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
}

describe("a mail that is taken", () => {
  test("has its parts, its headers and one recipient", () =>
    withMailServer(async (address, arrived) => {
      const program = Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 1, 3, 4, 5, 6))
        return yield* (yield* Mailer).send({
          ...mail,
          from: { ...mail.from, name: 'Ac"me, <Ünï> 👩‍🚀' },
          subject: "Hé, “Ada” 👋"
        })
      })
      const said = await Effect.runPromise(
        program.pipe(Effect.provide(mailer(`smtp://${address}`)), Effect.provide(TestClock.layer()))
      )
      expect(said).toBe("250 Taken.")
      expect(arrived).toHaveLength(1)
      const [{ from, recipients, raw, email, user } = expect.fail("nothing arrived")] = arrived
      expect({ from, recipients, user }).toEqual({ from: mail.from.address, recipients: [mail.to], user: undefined })
      expect(email).toMatchObject({
        from: { name: 'Ac"me, <Ünï> 👩‍🚀', address: mail.from.address },
        to: [{ name: "", address: mail.to }],
        subject: "Hé, “Ada” 👋",
        messageId: "<nt_1@id.example.test>",
        date: "2026-02-03T04:05:06.000Z",
        html: `${mail.html}\n`,
        text: `${mail.text}\n`
      })
      expect(fieldsOf(raw).toSorted()).toEqual(fields)
      expect(email.headers).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ key: "auto-submitted", value: "auto-generated" }),
          expect.objectContaining({ key: "x-auto-response-suppress", value: "All" })
        ])
      )
      expect(email.attachments).toEqual([])
    }))

  test("has the same Message-ID at each try, and only the parts there are", () =>
    withMailServer(async (address, arrived) => {
      await sends(`smtp://${address}`, { html: null })
      await sends(`smtp://${address}`, { text: null })
      expect(arrived.map(({ email }) => email.messageId)).toEqual(["<nt_1@id.example.test>", "<nt_1@id.example.test>"])
      expect(arrived.map(({ email }) => [email.html, email.text])).toEqual([
        [undefined, "Hello Ada\n"],
        ["<p>Hello <b>Ada</b></p>\n", undefined]
      ])
    }))

  test("goes over few connections, which end with the service", () =>
    withMailServer(async (address, arrived, server) => {
      const program = Effect.gen(function* () {
        const { send } = yield* Mailer
        yield* Effect.forEach(Array.from({ length: 40 }), () => send(mail), { concurrency: "unbounded" })
        return server.connections.size
      })
      expect(await Effect.runPromise(Effect.provide(program, mailer(`smtp://${address}`)))).toBeLessThanOrEqual(5)
      expect(arrived).toHaveLength(40)
      await expect.poll(() => server.connections.size).toBe(0)
    }))

  test("user and password are those of the URL, percent-encoding undone", () =>
    withMailServer(
      async (address, arrived) => {
        await sends(`smtp://us%40er:s3cret@${address}`)
        expect(arrived.map(({ user }) => user)).toEqual(["us@er"])
      },
      { authOptional: false }
    ))
})

describe("a mail that is not taken", () => {
  test("RG-16: no server: not final", () =>
    withServer(
      (socket) => socket.destroy(),
      async (address) => {
        expect(await refusal(`smtp://${address}`)).toMatchObject({ final: false })
        const nobody = await refusal("smtp://127.0.0.1:1")
        expect(told(nobody)).toEqual({
          final: false,
          message: "The mail server can't be reached (ECONNREFUSED)."
        })
      }
    ))

  test.each([
    ["before its greeting", () => {}],
    ["after it", (socket: Socket) => socket.write("220 hi\r\n")],
    [
      "in its answers, a byte at a time",
      (socket: Socket) => {
        socket.write("220 hi\r\n250-")
        const timer = setInterval(() => socket.write("x"), 50)
        socket.on("close", () => clearInterval(timer))
      }
    ]
  ])("RG-16: a server that hangs %s: not final, and soon", (_when, speak) =>
    withServer(speak, async (address) => {
      const started = performance.now()
      const refused = await refusal(`smtp://${address}`, {}, { ...soon, mail: 1_000 })
      expect(told(refused)).toEqual({
        final: false,
        message: expect.stringMatching("did not respond in time")
      })
      expect(performance.now() - started).toBeLessThan(5_000)
    }))

  test("RG-16: a server that hangs stops nobody who leaves, and its connections go with the service", () => {
    const sockets: Array<Socket> = []
    return withServer(
      (socket) => sockets.push(socket),
      async (address) => {
        const scope = Scope.makeUnsafe()
        const program = Effect.gen(function* () {
          const { send } = yield* Mailer
          const fibers = yield* Effect.forEach(Array.from({ length: 8 }), () => Effect.forkChild(send(mail)))
          yield* Effect.promise(() => expect.poll(() => sockets.length).toBe(5))
          const [first, second] = fibers
          if (first !== undefined) yield* Fiber.interrupt(first)
          expect(second?.pollUnsafe()).toBeUndefined()
          yield* Fiber.interruptAll(fibers)
        })
        const context = await Effect.runPromise(
          Layer.buildWithScope(
            mailer(`smtp://${address}`, { connect: 60_000, greeting: 60_000, silence: 60_000, mail: 60_000 }),
            scope
          )
        )
        await Effect.runPromise(Effect.provide(program, context))
        await Effect.runPromise(Scope.close(scope, Exit.void))
        await expect.poll(() => sockets.every((socket) => socket.destroyed || socket.readableEnded)).toBe(true)
      }
    )
  })

  test("an interrupted first mail leaves a mailer that works", () =>
    withMailServer(async (address, arrived) => {
      const program = Effect.gen(function* () {
        const { send } = yield* Mailer
        yield* Fiber.interrupt(yield* Effect.forkChild(send(mail), { startImmediately: true }))
        return yield* send(mail)
      })
      expect(await Effect.runPromise(Effect.provide(program, mailer(`smtp://${address}`)))).toBe("250 Taken.")
      expect(arrived).toHaveLength(1)
    }))

  test.each([
    [550, true],
    [553, true],
    [451, false],
    [421, false],
    [530, false]
  ])("a recipient refused with %i: final %s; the next mail goes", (code, final) =>
    withMailServer(
      async (address, arrived) => {
        const program = Effect.gen(function* () {
          const { send } = yield* Mailer
          const refused = yield* Effect.flip(send({ ...mail, to: "nobody@example.test" }))
          yield* send(mail)
          return refused
        })
        const refused = await Effect.runPromise(Effect.provide(program, mailer(`smtp://${address}`)))
        expect(told(refused)).toEqual({
          final,
          message: `The mail server rejected the e-mail: ${code} Not this one`
        })
        expect(arrived.map(({ recipients }) => recipients)).toEqual([[mail.to]])
      },
      {
        onRcptTo: ({ address }, _session, done) =>
          done(address.startsWith("nobody") ? answer(code, "Not this one") : null)
      }
    ))

  test("a sender refused for good may be another one at the next try", () =>
    withMailServer(async (address) => expect(await refusal(`smtp://${address}`)).toMatchObject({ final: false }), {
      onMailFrom: (_address, _session, done) => done(answer(550, "Not you"))
    }))

  test("a mail refused for what is in it is refused for good", () =>
    withMailServer(async (address) => expect(await refusal(`smtp://${address}`)).toMatchObject({ final: true }), {
      onData: (stream, _session, done) => {
        stream.resume().on("end", () => done(answer(554, "Spam")))
      }
    }))

  test("a wrong password: not final, and told to nobody", () =>
    withMailServer(
      async (address) => {
        const refused = await refusal(`smtp://user:wr0ng-pass@${address}`)
        expect(refused).toMatchObject({
          final: false,
          message: "The mail server rejected the user name or password in SALLYPORT_SMTP_URL (535)."
        })
        expect(JSON.stringify(refused) + refused.stack).not.toContain("wr0ng-pass")
      },
      { authOptional: false }
    ))

  test("a server whose TLS nobody vouches for gets no mail, by STARTTLS or at once", async () => {
    const untrusted = { final: false, message: expect.stringMatching(/TLS|SELF_SIGNED|CERT/) }
    await withMailServer(async (address) => expect(await refusal(`smtp://${address}`)).toMatchObject(untrusted), {
      disabledCommands: []
    })
    await withMailServer(async (address) => expect(await refusal(`smtps://${address}`)).toMatchObject(untrusted), {
      secure: true
    })
  })
})

describe("SEC-97: STARTTLS", () => {
  const noStartTls =
    "The mail server does not support STARTTLS, so nothing is sent to it unencrypted. Use smtps://, or add ?tls=optional to SALLYPORT_SMTP_URL."
  // An address of this machine that does not say so.
  const elsewhere = (address: string) => address.replace("127.0.0.1", "0.0.0.0")

  test("is required off the machine, unless the URL says otherwise", () => {
    const needed = (url: string) => needsStartTls(new URL(url))
    for (const host of ["mail", "mail.example.test:587", "10.0.0.7", "[2001:db8::1]:25", "localhost.example.test"]) {
      expect([needed(`smtp://u:p@${host}`), needed(`smtp://${host}?tls=optional`)]).toEqual([true, false])
      expect([needed(`smtp://${host}?tls=required`), needed(`smtps://${host}`)]).toEqual([true, false])
    }
    for (const host of ["localhost", "mail.localhost:1025", "127.0.0.1:25", "127.8.9.1", "[::1]:25"]) {
      expect([needed(`smtp://${host}`), needed(`smtp://${host}?tls=required`)]).toEqual([false, true])
    }
  })

  test("a server without it, or whose offer somebody has taken out, gets neither mail nor password, and the failure says why", () =>
    withMailServer(async (address, arrived) => {
      for (const url of [`smtp://u:wrong@${elsewhere(address)}`, `smtp://u:wrong@${address}?tls=required`]) {
        expect(told(await refusal(url))).toEqual({ message: noStartTls, final: false })
      }
      expect(arrived).toEqual([])
      await sends(`smtp://u:s3cret@${elsewhere(address)}?tls=optional`)
      await sends(`smtp://u:s3cret@${address}`)
      expect(arrived.map(({ user, secure }) => [user, secure])).toEqual([
        ["u", false],
        ["u", false]
      ])
    }))

  test("a server with it gets the mail by TLS", () =>
    withMailServer(
      async (address, arrived) => {
        const trusted = getCACertificates("default")
        setDefaultCACertificates([...trusted, certificate])
        try {
          for (const url of [`smtp://${elsewhere(address)}`, `smtp://${address}?tls=optional`, `smtp://${address}`]) {
            await sends(url)
          }
        } finally {
          setDefaultCACertificates(trusted)
        }
        expect(arrived.map(({ secure }) => secure)).toEqual([true, true, true])
      },
      { disabledCommands: [], cert: certificate, key: certificateKey }
    ))
})
