import { Clock, Effect, Layer, Redacted, Scope } from "effect"
import type { NodemailerError, SendMailOptions } from "nodemailer"
import { canonicalEmail } from "#domain/Email"
import type { Mail } from "#domain/Mail"
import { Mailer, MailRefused } from "#platform/Mailer"

/** How long, in milliseconds of real time, the mail server may take. `mail`: for all of one, its turn included. */
export interface SmtpTimeouts {
  readonly connect: number
  readonly greeting: number
  /** For each answer. */
  readonly silence: number
  readonly mail: number
}

export interface SmtpOptions {
  /** smtps:// begins with TLS; smtp:// takes it by STARTTLS, as `needsStartTls` says. User and password as in any URL. */
  readonly url: Redacted.Redacted
  /** What this host calls itself to the mail server. */
  readonly hostname: string
  readonly timeouts?: SmtpTimeouts
}

/** Hosts that a mail reaches without leaving the machine. */
const LOOPBACK = /^(?:localhost|[\w.-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/** Whether a mail server of smtp:// must offer STARTTLS: off this machine, unless `?tls=optional` says otherwise (SEC-97). */
export const needsStartTls = (url: URL): boolean => {
  const tls = url.searchParams.get("tls")
  return url.protocol === "smtp:" && (tls === "required" || (tls !== "optional" && !LOOPBACK.test(url.hostname)))
}

const TIMEOUTS: SmtpTimeouts = { connect: 10_000, greeting: 10_000, silence: 15_000, mail: 60_000 }

const CONNECTIONS = 5

/** How often a mail takes another connection when one breaks before it was sent. */
const RECONNECTS = 2

/**
 * What a header can hold: one line. The library folds and encodes; no line break gets as far as that, nor what looks
 * encoded already, which it would leave for the reader to decode.
 */
const headerText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .replaceAll("=?", "= ?")
    .trim()

const noAddress = (what: string) => new MailRefused({ message: `The ${what} is not an e-mail address.`, final: true })

/** A mail in the library's terms: structured fields only, one recipient; refused where an address is none. */
export const messageOf = (mail: Mail, at: number): Effect.Effect<SendMailOptions, MailRefused> => {
  const from = canonicalEmail(mail.from.address)
  const to = canonicalEmail(mail.to)
  if (from === undefined) return Effect.fail(noAddress("sender"))
  if (to === undefined) return Effect.fail(noAddress("recipient"))
  const sender = { address: from, name: headerText(mail.from.name ?? "") }
  const recipient = { address: to, name: "" }
  return Effect.succeed({
    envelope: { from: { address: from, name: "" }, to: [recipient] },
    from: sender,
    to: recipient,
    subject: headerText(mail.subject),
    messageId: `<${mail.messageId.replace(/[^\x21-\x7e]|[<>]/g, "")}>`,
    date: new Date(at),
    headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
    html: mail.html ?? undefined,
    text: mail.text ?? undefined,
    disableFileAccess: true,
    disableUrlAccess: true
  })
}

/** What failures without an answer of the server are called, by the library's code. */
const failures: Readonly<Record<string, string>> = {
  EABORT: "The mail server did not respond in time",
  ECONNECTION: "The mail server can't be reached or closed the connection",
  EDNS: "The mail server's host name can't be resolved",
  ESOCKET: "The mail server can't be reached",
  ETIMEDOUT: "The mail server did not respond in time",
  ETLS: "A trusted TLS connection to the mail server can't be established"
}

/** Answers about this one mail, as against those about who we are. */
const aboutTheMail: ReadonlySet<string | undefined> = new Set(["RCPT TO", "DATA"])

const AUTHENTICATION_REQUIRED = 530

const NO_STARTTLS =
  "The mail server does not support STARTTLS, so nothing is sent to it unencrypted. Use smtps://, or add ?tls=optional to SALLYPORT_SMTP_URL."

const refused = ({ code = "", originalCode, command, permanent, response, responseCode }: NodemailerError) => {
  // An answer to a login may repeat it: what the server says then is told to nobody.
  if (code.includes("AUTH")) {
    const answer = responseCode === undefined ? "" : ` (${responseCode})`
    const message = `The mail server rejected the user name or password in SALLYPORT_SMTP_URL${answer}.`
    return new MailRefused({ message, final: false })
  }
  if (code === "ETLS" && response !== undefined) return new MailRefused({ message: NO_STARTTLS, final: false })
  if (response !== undefined && responseCode !== undefined) {
    const final = permanent === true && responseCode !== AUTHENTICATION_REQUIRED && aboutTheMail.has(command)
    return new MailRefused({ message: `The mail server rejected the e-mail: ${headerText(response)}`, final })
  }
  const cause = originalCode === undefined ? "" : ` (${originalCode})`
  return new MailRefused({ message: `${failures[code] ?? "The e-mail can't be sent"}${cause}.`, final: false })
}

const opened = ({ url: given, hostname, timeouts = TIMEOUTS }: SmtpOptions) => {
  const url = new URL(Redacted.value(given))
  const requireTLS = needsStartTls(url)
  // The library would take whatever is in the query for options of its own.
  url.search = ""
  return Effect.acquireRelease(
    // Loaded by the first mail: it takes as long as all the rest of a start.
    Effect.map(
      Effect.promise(() => import("nodemailer")),
      ({ createTransport }) =>
        createTransport({
          pool: true,
          url: url.href,
          requireTLS,
          name: hostname,
          maxConnections: CONNECTIONS,
          maxRequeues: RECONNECTS,
          connectionTimeout: timeouts.connect,
          dnsTimeout: timeouts.connect,
          greetingTimeout: timeouts.greeting,
          socketTimeout: timeouts.silence,
          socketCloseTimeout: 1_000,
          disableFileAccess: true,
          disableUrlAccess: true
        })
    ),
    (pool) => Effect.sync(() => pool.close({ force: true }))
  )
}

const make = Effect.fnUntraced(function* (options: SmtpOptions) {
  const scope = yield* Effect.scope
  const pool = yield* Effect.cached(Effect.uninterruptible(Scope.provide(opened(options), scope)))
  const { mail: longest } = options.timeouts ?? TIMEOUTS

  const send = Effect.fn("Smtp.send")(function* (mail: Mail) {
    const message = yield* messageOf(mail, yield* Clock.currentTimeMillis)
    const transport = yield* pool
    return yield* Effect.callback<string, MailRefused>((resume, interrupted) => {
      const signal = AbortSignal.any([interrupted, AbortSignal.timeout(longest)])
      transport.sendMail({ ...message, signal }, (error, info) =>
        resume(error === null ? Effect.succeed(headerText(info.response)) : Effect.fail(refused(error)))
      )
    })
  })

  return Mailer.of({ send })
})

/** Sends mails through a mail server, over a few connections that stay open. */
export const layer = (options: SmtpOptions): Layer.Layer<Mailer> => Layer.effect(Mailer, make(options))
