import { Effect } from "effect"
import fc from "fast-check"
import { createTransport } from "nodemailer"
import PostalMime from "postal-mime"
import { describe, expect, test } from "vitest"
import { Mailer } from "#platform/Mailer"
import { messageOf } from "#server/Smtp"
import { fields, fieldsOf, mail, mailer, refusal, sends, withMailServer } from "../server/MailServer.ts"

const parts = [
  "\r\nBcc: eve@evil.test¦\nX-Evil: 1¦\r¦\r\n\r\n<p>¦\r\n.\r\n¦\0¦\u2028¦\u0085¦\v¦\f¦\uD800¦é¦👩‍🚀",
  '<eve@evil.test>¦,¦;¦:¦"¦\\¦@¦(¦)¦a@b.test, c@d.test¦group: x@evil.test;',
  `=?utf-8?Q?=0D=0ABcc:_eve@evil.test?=¦=?utf-8?B?DQpCY2M6IGV2ZUBldmlsLnRlc3Q=?=¦=¦?=¦${"x".repeat(90)}`
].flatMap((line) => line.split("¦"))

const noAddresses = [
  "a@b@c.test¦a@b.test, c@d.test¦group: a@b.test;¦<a@b.test>¦a@b.test\r\nRCPT TO:<eve@evil.test>¦a b@c.test",
  '¦a¦"a@evil.test "@b.test¦a@b.test (c)¦a@[1.2.3.4]¦a@b.test\0'
].flatMap((line) => line.split("¦"))

/** Whatever somebody may put where a header is made from it. */
const anyText = fc
  .array(fc.oneof(fc.constantFrom(...parts), fc.string({ unit: "binary", maxLength: 10 })), { maxLength: 8 })
  .map((chosen) => chosen.join(""))

const anyMail = fc
  .record({ name: fc.option(anyText), subject: anyText, id: anyText, text: anyText })
  .map(({ name, subject, id, text }) => ({
    ...mail,
    from: { ...mail.from, name },
    subject,
    text,
    html: null,
    messageId: `${id}@id.example.test`
  }))

describe("SEC-71 (CVE-2025-14874): no text becomes a header or a recipient", () => {
  test("in 6,000 texts, as mails are built of them", { timeout: 60_000 }, async () => {
    const builder = createTransport({ streamTransport: true, buffer: true })
    await fc.assert(
      fc.asyncProperty(anyMail, async (any) => {
        const { envelope, message } = await builder.sendMail(await Effect.runPromise(messageOf(any, 0)))
        const raw = Buffer.isBuffer(message) ? message.toString("latin1") : ""
        expect(envelope).toEqual({ from: mail.from.address, to: [mail.to] })
        expect(
          fieldsOf(raw)
            .toSorted()
            .filter((name) => name !== "Subject")
        ).toEqual(fields.filter((name) => name !== "Subject"))
        const { from, to, cc, bcc, subject = "" } = await PostalMime.parse(raw)
        expect(from?.address).toBe(mail.from.address)
        expect(to).toEqual([{ name: "", address: mail.to }])
        expect([cc, bcc]).toEqual([undefined, undefined])
        expect(`${subject}${from?.name}`).not.toMatch(/[\r\n\0]/)
      }),
      { numRuns: 1_500 }
    )
  })

  test("nor in 100 mails as they arrive", () =>
    withMailServer(async (address, arrived) => {
      const mails = fc.sample(anyMail, 100)
      const program = Effect.flatMap(Mailer, ({ send }) =>
        Effect.forEach(mails, (any) => send(any), { concurrency: 5 })
      )
      await Effect.runPromise(Effect.provide(program, mailer(`smtp://${address}`)))
      expect(arrived).toHaveLength(100)
      for (const { from, recipients, raw } of arrived) {
        expect([from, recipients]).toEqual([mail.from.address, [mail.to]])
        expect(fieldsOf(raw).filter((name) => !fields.includes(name))).toEqual([])
      }
    }))

  test.each(
    noAddresses
  )("%j gets no mail, and sends none: refused for good before anyone is asked", async (address) => {
    expect(await refusal("smtp://127.0.0.1:1", { to: address })).toMatchObject({
      final: true,
      message: "The recipient is not an e-mail address."
    })
    expect(await refusal("smtp://127.0.0.1:1", { from: { address, name: null } })).toMatchObject({
      final: true,
      message: "The sender is not an e-mail address."
    })
  })

  test("a file or an address in a mail is text, and is not read", () =>
    withMailServer(async (address, arrived) => {
      const html = '<img src="/etc/hostname"><img src="data:image/png;base64,AAAA"><img src="http://127.0.0.1:1/x">'
      await sends(`smtp://${address}`, { html, text: "/etc/hostname" })
      expect(arrived[0]?.email).toMatchObject({ html: `${html}\n`, text: "/etc/hostname\n", attachments: [] })
    }))
})
