import type { Socket } from "node:net"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Redacted } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { Mailer, type MailRefused } from "#platform/Mailer"
import { layer, needsStartTls } from "#server/Smtp"
import {
  certificate,
  certificateKey,
  commonFields,
  failureOf,
  fieldsOf,
  mail,
  mailer,
  mailServer,
  rawServer,
  sendMail,
  shortTimeouts,
  smtpError
} from "./MailServer.ts"

/** The comparable parts of a failure. An error's message doesn't take part in comparisons. */
const comparableParts = ({ message, isFinal }: MailRefused) => ({ message, isFinal })

/** Polls until an assertion holds. */
const eventually = (assertion: () => PromiseLike<void>) => Effect.promise(assertion)

describe("an accepted email", () => {
  it.effect("contains its parts and headers, and has one recipient", () =>
    Effect.gen(function* () {
      const { address, arrived } = yield* mailServer()
      yield* TestClock.setTime(Date.UTC(2026, 1, 3, 4, 5, 6))
      const from = { ...mail.from, name: 'Ac"me, <Ünï> 👩‍🚀' }
      expect(yield* sendMail(`smtp://${address}`, { from, subject: "Hé, “Ada” 👋" })).toBe("250 Taken.")
      expect(arrived).toHaveLength(1)
      const [{ from: sender, recipients, raw, email, user } = expect.fail("nothing arrived")] = arrived
      expect({ sender, recipients, user }).toEqual({
        sender: mail.from.address,
        recipients: [mail.to],
        user: undefined
      })
      expect(email).toMatchObject({
        from: { name: 'Ac"me, <Ünï> 👩‍🚀', address: mail.from.address },
        to: [{ name: "", address: mail.to }],
        subject: "Hé, “Ada” 👋",
        messageId: "<nt_1@id.example.test>",
        date: "2026-02-03T04:05:06.000Z",
        html: `${mail.html}\n`,
        text: `${mail.text}\n`
      })
      expect(fieldsOf(raw).toSorted()).toEqual(commonFields)
      expect(email.headers).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ key: "auto-submitted", value: "auto-generated" }),
          expect.objectContaining({ key: "x-auto-response-suppress", value: "All" })
        ])
      )
      expect(email.attachments).toEqual([])
    })
  )

  it.live("has the same Message-ID on each attempt, and only the given body parts", () =>
    Effect.gen(function* () {
      const { address, arrived } = yield* mailServer()
      yield* sendMail(`smtp://${address}`, { html: null })
      yield* sendMail(`smtp://${address}`, { text: null })
      expect(arrived.map(({ email }) => email.messageId)).toEqual(["<nt_1@id.example.test>", "<nt_1@id.example.test>"])
      expect(arrived.map(({ email }) => [email.html, email.text])).toEqual([
        [undefined, "Hello Ada\n"],
        ["<p>Hello <b>Ada</b></p>\n", undefined]
      ])
    })
  )

  it.live("is sent over a few connections, which close when the service stops", () =>
    Effect.gen(function* () {
      const { address, arrived, server } = yield* mailServer()
      const connections = Mailer.use(({ send }) =>
        Effect.map(
          Effect.forEach(Array.from({ length: 40 }), () => send(mail), { concurrency: "unbounded" }),
          () => server.connections.size
        )
      )
      expect(yield* Effect.provide(connections, mailer(`smtp://${address}`))).toBeLessThanOrEqual(5)
      expect(arrived).toHaveLength(40)
      yield* eventually(() => expect.poll(() => server.connections.size).toBe(0))
    })
  )

  it.live("is sent with the URL's user and password, percent-decoded", () =>
    Effect.gen(function* () {
      const { address, arrived } = yield* mailServer({ authOptional: false })
      yield* sendMail(`smtp://us%40er:s3cret@${address}`)
      expect(arrived.map(({ user }) => user)).toEqual(["us@er"])
    })
  )

  it.live("C227: is sent with the URL's current user and password after a rotation", () =>
    Effect.gen(function* () {
      const { address, arrived } = yield* mailServer({ authOptional: false })
      let user = "before"
      const url = () => Redacted.make(`smtp://${user}:s3cret@${address}`)
      const change = Effect.sync(() => (user = "after"))
      yield* Mailer.use(({ send }) => Effect.all([send(mail), change, send(mail), send(mail)])).pipe(
        Effect.provide(layer({ url: url(), hostname: "id.example.test", currentUrl: url }))
      )
      expect(arrived.map((one) => one.user)).toEqual(["before", "after", "after"])
    })
  )
})

describe("a failed email", () => {
  it.live("RG-16: is not final when the server is unreachable", () =>
    Effect.gen(function* () {
      const address = yield* rawServer((socket) => socket.destroy())
      expect(yield* failureOf(`smtp://${address}`)).toMatchObject({ isFinal: false })
      expect(comparableParts(yield* failureOf("smtp://127.0.0.1:1"))).toEqual({
        isFinal: false,
        message: "The mail server can't be reached (ECONNREFUSED)."
      })
    })
  )

  it.live.each<readonly [string, (socket: Socket) => void]>([
    ["before its greeting", () => {}],
    ["after its greeting", (socket) => socket.write("220 hi\r\n")],
    [
      "while responding, byte by byte",
      (socket) => {
        socket.write("220 hi\r\n250-")
        const timer = setInterval(() => socket.write("x"), 50)
        socket.on("close", () => clearInterval(timer))
      }
    ]
  ])("RG-16: fails soon and is not final when the server hangs %s", ([, speak]) =>
    Effect.gen(function* () {
      const address = yield* rawServer(speak)
      const started = performance.now()
      expect(comparableParts(yield* failureOf(`smtp://${address}`, {}, { ...shortTimeouts, mail: 1_000 }))).toEqual({
        isFinal: false,
        message: expect.stringMatching("did not respond in time")
      })
      expect(performance.now() - started).toBeLessThan(5_000)
    })
  )

  it.live("RG-16: delays no shutdown when the server hangs", () =>
    Effect.gen(function* () {
      const sockets: Array<Socket> = []
      const address = yield* rawServer((socket) => sockets.push(socket))
      const patient = { connect: 60_000, greeting: 60_000, silence: 60_000, mail: 60_000 }
      yield* Effect.gen(function* () {
        const { send } = yield* Mailer
        const fibers = yield* Effect.forEach(Array.from({ length: 8 }), () => Effect.forkChild(send(mail)))
        yield* eventually(() => expect.poll(() => sockets.length).toBe(5))
        const [first, second] = fibers
        if (first !== undefined) yield* Fiber.interrupt(first)
        expect(second?.pollUnsafe()).toBeUndefined()
        yield* Fiber.interruptAll(fibers)
      }).pipe(Effect.provide(mailer(`smtp://${address}`, patient)))
      const isOver = (socket: Socket) => socket.destroyed || socket.readableEnded
      yield* eventually(() => expect.poll(() => sockets.every(isOver)).toBe(true))
    })
  )

  it.live("an interrupted first email doesn't stop the mailer from sending the next one", () =>
    Effect.gen(function* () {
      const { address, arrived } = yield* mailServer()
      const second = Effect.gen(function* () {
        const { send } = yield* Mailer
        yield* Fiber.interrupt(yield* Effect.forkChild(send(mail), { startImmediately: true }))
        return yield* send(mail)
      })
      expect(yield* Effect.provide(second, mailer(`smtp://${address}`))).toBe("250 Taken.")
      expect(arrived).toHaveLength(1)
    })
  )

  it.live.each([
    [550, true],
    [553, true],
    [451, false],
    [421, false],
    [530, false]
  ] as const)("is reported as final if the recipient is rejected with %i: %s", ([code, isFinal]) =>
    Effect.gen(function* () {
      const { address, arrived } = yield* mailServer({
        onRcptTo: ({ address }, _session, done) =>
          done(address.startsWith("nobody") ? smtpError(code, "Not this one") : null)
      })
      yield* Effect.gen(function* () {
        const { send } = yield* Mailer
        expect(comparableParts(yield* Effect.flip(send({ ...mail, to: "nobody@example.test" })))).toEqual({
          isFinal,
          message: `The mail server rejected the email: ${code} Not this one`
        })
        yield* send(mail)
      }).pipe(Effect.provide(mailer(`smtp://${address}`)))
      expect(arrived.map(({ recipients }) => recipients)).toEqual([[mail.to]])
    })
  )

  it.live("is not final when the sender is rejected, because the sender may change before the next attempt", () =>
    Effect.gen(function* () {
      const { address } = yield* mailServer({
        onMailFrom: (_address, _session, done) => done(smtpError(550, "Not you"))
      })
      expect(yield* failureOf(`smtp://${address}`)).toMatchObject({ isFinal: false })
    })
  )

  it.live("is final when its content is rejected", () =>
    Effect.gen(function* () {
      const { address } = yield* mailServer({
        onData: (stream, _session, done) => {
          stream.resume().on("end", () => done(smtpError(554, "Spam")))
        }
      })
      expect(yield* failureOf(`smtp://${address}`)).toMatchObject({ isFinal: true })
    })
  )

  it.live("is not final when the password is wrong, and doesn't reveal the password", () =>
    Effect.gen(function* () {
      const { address } = yield* mailServer({ authOptional: false })
      const refused = yield* failureOf(`smtp://user:wr0ng-pass@${address}`)
      expect(refused).toMatchObject({
        isFinal: false,
        message: "The mail server rejected the user name or password in SALLYPORT_SMTP_URL (535)."
      })
      expect(JSON.stringify(refused) + refused.stack).not.toContain("wr0ng-pass")
    })
  )

  it.live("is never sent to a server whose TLS certificate is untrusted, by STARTTLS or direct TLS", () =>
    Effect.gen(function* () {
      const untrusted = { isFinal: false, message: expect.stringMatching(/TLS|SELF_SIGNED|CERT/) }
      const upgrading = yield* mailServer({ disabledCommands: [] })
      expect(yield* failureOf(`smtp://${upgrading.address}`)).toMatchObject(untrusted)
      const secure = yield* mailServer({ secure: true })
      expect(yield* failureOf(`smtps://${secure.address}`)).toMatchObject(untrusted)
    })
  )
})

describe("SEC-97: STARTTLS", () => {
  const noStartTls =
    "The mail server does not support STARTTLS, so nothing is sent to it unencrypted. Use smtps://, or add ?tls=optional to SALLYPORT_SMTP_URL."
  // An address of this machine that isn't recognized as local.
  const elsewhere = (address: string) => address.replace("127.0.0.1", "0.0.0.0")

  it("is required for remote servers unless the URL disables it", () => {
    const needed = (url: string) => needsStartTls(new URL(url))
    for (const host of ["mail", "mail.example.test:587", "10.0.0.7", "[2001:db8::1]:25", "localhost.example.test"]) {
      expect([needed(`smtp://u:p@${host}`), needed(`smtp://${host}?tls=optional`)]).toEqual([true, false])
      expect([needed(`smtp://${host}?tls=required`), needed(`smtps://${host}`)]).toEqual([true, false])
    }
    for (const host of ["localhost", "mail.localhost:1025", "127.0.0.1:25", "127.8.9.1", "[::1]:25"]) {
      expect([needed(`smtp://${host}`), needed(`smtp://${host}?tls=required`)]).toEqual([false, true])
    }
  })

  it.live("never sends the email or password to a server that doesn't offer STARTTLS", () =>
    Effect.gen(function* () {
      const { address, arrived } = yield* mailServer()
      for (const url of [`smtp://u:wrong@${elsewhere(address)}`, `smtp://u:wrong@${address}?tls=required`]) {
        expect(comparableParts(yield* failureOf(url))).toEqual({ message: noStartTls, isFinal: false })
      }
      expect(arrived).toEqual([])
      yield* sendMail(`smtp://u:s3cret@${elsewhere(address)}?tls=optional`)
      yield* sendMail(`smtp://u:s3cret@${address}`)
      expect(arrived.map(({ user, secure }) => [user, secure])).toEqual([
        ["u", false],
        ["u", false]
      ])
    })
  )

  it.live("encrypts the email when the server supports it", () =>
    Effect.gen(function* () {
      const { address, arrived } = yield* mailServer({
        disabledCommands: [],
        cert: certificate,
        key: certificateKey
      })
      const trusted = getCACertificates("default")
      yield* Effect.acquireRelease(
        Effect.sync(() => setDefaultCACertificates([...trusted, certificate])),
        () => Effect.sync(() => setDefaultCACertificates(trusted))
      )
      for (const url of [`smtp://${elsewhere(address)}`, `smtp://${address}?tls=optional`, `smtp://${address}`]) {
        yield* sendMail(url)
      }
      expect(arrived.map(({ secure }) => secure)).toEqual([true, true, true])
    })
  )
})
