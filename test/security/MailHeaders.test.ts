import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { createTransport } from "nodemailer"
import PostalMime from "postal-mime"
import { Mailer } from "#platform/Mailer"
import { messageOf } from "#server/Smtp"
import { commonFields, failureOf, fieldsOf, mail, mailer, mailServer, sendMail } from "../server/MailServer.ts"
import { anyText, elementOf, joined, oneOf } from "../support/arbitraries.ts"

const parts = [
  "\r\nBcc: eve@evil.test¦\nX-Evil: 1¦\r¦\r\n\r\n<p>¦\r\n.\r\n¦\0¦\u2028¦\u0085¦\v¦\f¦\uD800¦é¦👩‍🚀",
  '<eve@evil.test>¦,¦;¦:¦"¦\\¦@¦(¦)¦a@b.test, c@d.test¦group: x@evil.test;',
  `=?utf-8?Q?=0D=0ABcc:_eve@evil.test?=¦=?utf-8?B?DQpCY2M6IGV2ZUBldmlsLnRlc3Q=?=¦=¦?=¦${"x".repeat(90)}`
].flatMap((line) => line.split("¦"))

const noAddresses = [
  "a@b@c.test¦a@b.test, c@d.test¦group: a@b.test;¦<a@b.test>¦a@b.test\r\nRCPT TO:<eve@evil.test>¦a b@c.test",
  '¦a¦"a@evil.test "@b.test¦a@b.test (c)¦a@[1.2.3.4]¦a@b.test\0'
].flatMap((line) => line.split("¦"))

/** Any text that might be used in a header. */
const hostileText = joined(oneOf(elementOf(parts), anyText({ maxLength: 10 })), { maxLength: 8 })

const hostileMail = Arbitrary.all({
  name: oneOf(hostileText, hostileText, hostileText, Arbitrary.Constant(null)),
  subject: hostileText,
  id: hostileText,
  text: hostileText
}).pipe(
  Arbitrary.map(({ name, subject, id, text }) => ({
    ...mail,
    from: { ...mail.from, name },
    subject,
    text,
    html: null,
    messageId: `${id}@id.example.test`
  }))
)

describe("SEC-71 (CVE-2025-14874): the headers and recipients of an email", () => {
  const builder = createTransport({ streamTransport: true, buffer: true })

  it.effect.prop(
    "contain no injected text in 6,000 generated emails",
    [hostileMail],
    Effect.fnUntraced(function* ([hostile]) {
      const built = yield* messageOf(hostile, 0)
      const { envelope, message } = yield* Effect.promise(() => builder.sendMail(built))
      const raw = Buffer.isBuffer(message) ? message.toString("latin1") : ""
      expect(envelope).toEqual({ from: mail.from.address, to: [mail.to] })
      expect(
        fieldsOf(raw)
          .toSorted()
          .filter((name) => name !== "Subject")
      ).toEqual(commonFields.filter((name) => name !== "Subject"))
      const { from, to, cc, bcc, subject = "" } = yield* Effect.promise(() => PostalMime.parse(raw))
      expect(from?.address).toBe(mail.from.address)
      expect(to).toEqual([{ name: "", address: mail.to }])
      expect([cc, bcc]).toEqual([undefined, undefined])
      expect(`${subject}${from?.name}`).not.toMatch(/[\r\n\0]/)
    }),
    { timeout: 60_000, arbitrary: { runs: 1_500 } }
  )

  it.effect("SEC-239: have the recipient's domain in ASCII", () =>
    Effect.gen(function* () {
      const built = yield* messageOf({ ...mail, to: "jo@mü\ufe0fller。example" }, 0)
      const { envelope, message } = yield* Effect.promise(() => builder.sendMail(built))
      expect(envelope.to).toEqual(["jo@xn--mller-kva.example"])
      expect(String(message)).toContain("To: jo@xn--mller-kva.example\r\n")
    })
  )

  it.live("contain no injected text in 100 delivered emails", () =>
    Effect.gen(function* () {
      const { address, arrived } = yield* mailServer()
      const mails = yield* Arbitrary.sampleEffect(hostileMail, { count: 100 })
      yield* Mailer.use(({ send }) => Effect.forEach(mails, send, { concurrency: 5 })).pipe(
        Effect.provide(mailer(`smtp://${address}`))
      )
      expect(arrived).toHaveLength(100)
      for (const { from, recipients, raw } of arrived) {
        expect([from, recipients]).toEqual([mail.from.address, [mail.to]])
        expect(fieldsOf(raw).filter((name) => !commonFields.includes(name))).toEqual([])
      }
    })
  )

  it.live.each(noAddresses)(
    "can't contain the address %j, which fails permanently before connecting to a server",
    (address) =>
      Effect.gen(function* () {
        expect(yield* failureOf("smtp://127.0.0.1:1", { to: address })).toMatchObject({
          isFinal: true,
          message: "The recipient is not an email address."
        })
        expect(yield* failureOf("smtp://127.0.0.1:1", { from: { address, name: null } })).toMatchObject({
          isFinal: true,
          message: "The sender is not an email address."
        })
      })
  )

  it.live("are unaffected by file paths and URLs in the body, which are never read", () =>
    Effect.gen(function* () {
      const { address, arrived } = yield* mailServer()
      const html = '<img src="/etc/hostname"><img src="data:image/png;base64,AAAA"><img src="http://127.0.0.1:1/x">'
      yield* sendMail(`smtp://${address}`, { html, text: "/etc/hostname" })
      expect(arrived[0]?.email).toMatchObject({ html: `${html}\n`, text: "/etc/hostname\n", attachments: [] })
    })
  )
})
