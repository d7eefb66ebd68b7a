import { describe, expect, test } from "vitest"
import { certificate, certificateKey, smtpError, startMailServer } from "../../server/MailServer.ts"
import { examined, memory } from "./Examined.ts"

describe("the mail server check of the doctor", () => {
  test("sends a test email from the service's own sender only on request", async () => {
    const smtp = await startMailServer()
    const environment = {
      ...memory,
      SALLYPORT_SMTP_URL: `smtp://ada:s3cret@${smtp.address}`,
      SALLYPORT_MAIL_FROM: "Acme <hello@id.example.test>"
    }
    expect((await examined(environment)).of("mail")).toEqual([`ok: ${smtp.address} accepts the login.`])
    expect(smtp.arrived).toEqual([])
    expect((await examined(environment, "--mail-to", "me@example.test")).of("mail")).toEqual([
      `ok: ${smtp.address} accepts the login.`,
      expect.stringMatching(
        /^ok: A test email from hello@id\.example\.test to me@example\.test was accepted: 250 .*Taken\./
      )
    ])
    expect(smtp.arrived).toMatchObject([
      { from: "hello@id.example.test", recipients: ["me@example.test"], user: "ada" }
    ])
    await smtp.stop()
  })

  test("reports a mail server that rejects the login or is unreachable", async () => {
    const smtp = await startMailServer()
    const { code, of } = await examined({ ...memory, SALLYPORT_SMTP_URL: `smtp://ada:wrong@${smtp.address}` })
    expect([code, of("mail")]).toEqual([
      1,
      [`problem: ${smtp.address}: The mail server rejected the user name or password in SALLYPORT_SMTP_URL (535).`]
    ])
    await smtp.stop()
    const gone = await examined({ ...memory, SALLYPORT_SMTP_URL: `smtp://${smtp.address}` })
    expect(gone.of("mail")).toEqual([`problem: ${smtp.address}: The mail server can't be reached (ECONNREFUSED).`])
  })

  test("advises by the reason, whatever the mail server writes", async () => {
    const text = "STARTTLS: the user name or password and the host could not be resolved by TLS"
    const smtp = await startMailServer({ onRcptTo: (_, __, done) => done(smtpError(550, text)) })
    const environment = { ...memory, SALLYPORT_SMTP_URL: `smtp://${smtp.address}` }
    const { all } = await examined(environment, "--mail-to", "me@example.test")
    const found = all.filter(({ check, verdict }) => check === "mail" && verdict === "problem")
    expect(found.map(({ says, todo }) => [says, todo])).toEqual([
      [
        expect.stringContaining(`The mail server rejected the email: 550 ${text}`),
        "Check the address, and that this server lets you send as SALLYPORT_MAIL_FROM."
      ]
    ])
    await smtp.stop()
    const plain = await startMailServer()
    const advice = async (url: string) =>
      (await examined({ ...memory, SALLYPORT_SMTP_URL: url })).all.find(({ check }) => check === "mail")?.todo
    expect([
      await advice(`smtp://ada:wrong@${plain.address}`),
      await advice(`smtp://${plain.address}?tls=required`),
      await advice("smtp://127.0.0.1:1")
    ]).toEqual([
      expect.stringMatching(/^Correct them\./),
      expect.stringMatching(/^Ask your mail provider for its port with TLS/),
      expect.stringMatching(/^Check host and port in SALLYPORT_SMTP_URL/)
    ])
    await plain.stop()
  })

  test("reports a self-signed certificate", async () => {
    const smtp = await startMailServer({ disabledCommands: [], key: certificateKey, cert: certificate })
    const url = `smtp://${smtp.address}?tls=required`
    const [found] = (await examined({ ...memory, SALLYPORT_SMTP_URL: url })).of("mail")
    expect(found).toMatch(/^problem: .*A trusted TLS connection to the mail server can't be established/)
    await smtp.stop()
  })
})
