import { once } from "node:events"
import { createServer, type Socket } from "node:net"
import { buffer } from "node:stream/consumers"
import { Effect, Redacted } from "effect"
import PostalMime, { type Email } from "postal-mime"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"
import type { Mail } from "#domain/Mail"
import { Mailer } from "#platform/Mailer"
import { layer, type SmtpTimeouts } from "#server/Smtp"

/** A received email. */
export interface ReceivedEmail {
  readonly from: string
  readonly recipients: ReadonlyArray<string>
  readonly raw: string
  readonly email: Email
  /** The user who authenticated to the mail server. */
  readonly user: string | undefined
  /** Whether the email arrived over TLS. */
  readonly secure: boolean
}

/** An error that makes the server respond with this code. */
export const smtpError = (responseCode: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode })

/** The address of a mail server (without `smtp://`) and the emails it has received. */
export interface MailServer {
  readonly address: string
  readonly arrived: ReadonlyArray<ReceivedEmail>
  readonly server: SMTPServer
  readonly stop: () => Promise<void>
}

/** Starts a real mail server, without TLS unless the options enable it. */
export const startMailServer = async (options: SMTPServerOptions = {}): Promise<MailServer> => {
  const arrived: Array<ReceivedEmail> = []
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    onAuth: ({ username, password }, _session, done) =>
      password === "s3cret" ? done(null, { user: username }) : done(null, { message: `Wrong: ${password}` }),
    onData: (stream, { envelope, user, secure }, done) => {
      const arrives = async () => {
        const raw = await buffer(stream)
        const email = await PostalMime.parse(raw)
        const recipients = envelope.rcptTo.map(({ address }) => address)
        const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address
        arrived.push({
          from,
          recipients,
          raw: raw.toString("latin1"),
          email,
          user: typeof user === "string" ? user : undefined,
          secure
        })
      }
      arrives().then(() => done(null, "Taken."), done)
    },
    ...options
  })
  server.on("error", () => {})
  server.listen(0, "127.0.0.1")
  await once(server.server, "listening")
  const address = server.server.address()
  const port = typeof address === "object" ? (address?.port ?? 0) : 0
  return {
    address: `127.0.0.1:${port}`,
    arrived,
    server,
    stop: () => new Promise((done) => server.close(() => done()))
  }
}

/** Like `startMailServer`, but stops the server when the scope closes. */
export const mailServer = (options?: SMTPServerOptions) =>
  Effect.acquireRelease(
    Effect.promise(() => startMailServer(options)),
    ({ stop }) => Effect.promise(stop)
  )

/** Returns the address of a server that handles each connection with `speak`, until the scope closes. */
export const rawServer = (speak: (socket: Socket) => void) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const sockets = new Set<Socket>()
      const server = createServer((socket) => {
        sockets.add(socket)
        socket.on("error", () => {})
        socket.on("close", () => sockets.delete(socket))
        speak(socket)
      })
      server.listen(0, "127.0.0.1")
      await once(server, "listening")
      return { server, sockets }
    }),
    ({ server, sockets }) =>
      Effect.sync(() => {
        server.close()
        for (const socket of sockets) socket.destroy()
      })
  ).pipe(
    Effect.map(({ server }) => {
      const address = server.address()
      return `127.0.0.1:${typeof address === "object" ? address?.port : 0}`
    })
  )

/** A self-signed certificate for 127.0.0.1 and 0.0.0.0. The certificate and its key are for tests only. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBhDCCASugAwIBAgIBATAKBggqhkjOPQQDAjAcMRowGAYDVQQDDBFtYWlsLmV4
YW1wbGUudGVzdDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowHDEa
MBgGA1UEAwwRbWFpbC5leGFtcGxlLnRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMB
BwNCAASmvbFVlkIFfkHbC8caVQa88tfPAmVL2Lj/ygx4b6uQF+z5evIL6SPLL7rE
b0V1ClDJgzZNdz6jB3zst+UxsMTUo1wwWjAoBgNVHREEITAfghFtYWlsLmV4YW1w
bGUudGVzdIcEfwAAAYcEAAAAADAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBRC
+sr2M0HR4/VIjLW8wU19R7/owDAKBggqhkjOPQQDAgNHADBEAiBR07OSWUmZOd4R
hDekP8xSLNCaBneIpHwKMy3ocQ0LtQIgSKu/9wkS3B3dBXyPwfzvcXnLATgP/rnw
tpOUzSsa8GQ=
-----END CERTIFICATE-----
`

export const certificateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgQGf4rVKmNtiJY8Je
XiD0YyhfffaswtkbrUrzzSyUs4ehRANCAASmvbFVlkIFfkHbC8caVQa88tfPAmVL
2Lj/ygx4b6uQF+z5evIL6SPLL7rEb0V1ClDJgzZNdz6jB3zst+UxsMTU
-----END PRIVATE KEY-----
`

/** An email to send. */
export const mail: Mail = {
  realmId: "r_1" as Mail["realmId"],
  messageId: "nt_1@id.example.test",
  from: { address: "no-reply@id.example.test", name: "Acme" },
  to: "ada@example.test",
  subject: "Hello",
  html: "<p>Hello <b>Ada</b></p>",
  text: "Hello Ada"
}

/** Short timeouts for servers that never respond. */
export const shortTimeouts: SmtpTimeouts = { connect: 300, greeting: 300, silence: 300, mail: 2_000 }

const patient: SmtpTimeouts = { connect: 10_000, greeting: 10_000, silence: 10_000, mail: 15_000 }

/** A mailer that sends through one server. */
export const mailer = (url: string, timeouts = patient) =>
  layer({ url: Redacted.make(url), hostname: "id.example.test", timeouts })

/** Sends one email and returns the server's response. */
export const sendMail = (url: string, given: Partial<Mail> = {}, timeouts = patient) =>
  Mailer.use(({ send }) => send({ ...mail, ...given })).pipe(Effect.provide(mailer(url, timeouts)))

/** Sends one email and returns the failure. */
export const failureOf = (url: string, given: Partial<Mail> = {}, timeouts = patient) =>
  Effect.flip(sendMail(url, given, timeouts))

/** The names of the header fields, without those of the body parts. */
export const fieldsOf = (raw: string) =>
  raw
    .slice(0, raw.indexOf("\r\n\r\n"))
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n")
    .map((line) => line.slice(0, line.indexOf(":")))
    .filter((name) => name !== "Content-Transfer-Encoding")

/** The header fields that every email has. */
export const commonFields: ReadonlyArray<string> =
  "Auto-Submitted Content-Type Date From MIME-Version Message-ID Subject To X-Auto-Response-Suppress".split(" ")
