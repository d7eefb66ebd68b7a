import { Clock, Effect, Layer, Redacted, Scope } from "effect"
import type { NodemailerError, SendMailOptions } from "nodemailer"
import { canonicalEmail, foldedEmail } from "#domain/Email"
import type { Mail } from "#domain/Mail"
import { Mailer, type MailRefusal, MailRefused } from "#platform/Mailer"

/** Time limits for the mail server, in milliseconds of real time. `mail`: for one email, including its wait for a connection. */
export interface SmtpTimeouts {
  readonly connect: number
  readonly greeting: number
  /** The maximum time without any data from the server. */
  readonly silence: number
  readonly mail: number
}

export interface SmtpOptions {
  /** smtps:// uses TLS from the start; smtp:// uses STARTTLS (`needsStartTls`). The URL may contain a user and a password. */
  readonly url: Redacted.Redacted
  /** The host name sent to the mail server (EHLO). */
  readonly hostname: string
  readonly timeouts?: SmtpTimeouts
  /** Replaces `url` for the next email. */
  readonly currentUrl?: () => Redacted.Redacted | undefined
}

/** Hosts on this machine. */
const LOOPBACK = /^(?:localhost|[\w.-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/**
 * Whether an smtp:// server must support STARTTLS. This is required on another machine, unless the URL has
 * `?tls=optional` (SEC-97).
 */
export const needsStartTls = (url: URL): boolean => {
  const tls = url.searchParams.get("tls")
  return url.protocol === "smtp:" && (tls === "required" || (tls !== "optional" && !LOOPBACK.test(url.hostname)))
}

const TIMEOUTS: SmtpTimeouts = { connect: 10_000, greeting: 10_000, silence: 15_000, mail: 60_000 }

const MAX_CONNECTIONS = 5

/** The maximum number of times that an email is retried on another connection after its connection broke. */
const MAX_REQUEUES = 2

/**
 * Returns a single-line text for a header. Line breaks are removed, and anything that looks like an encoded word is
 * broken up, because the library would leave it for the mail reader to decode. The library folds and encodes the text.
 */
const headerText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .replaceAll("=?", "= ?")
    .trim()

const noAddress = (what: string) =>
  new MailRefused({ message: `The ${what} is not an email address.`, isFinal: true, isUnavailable: false })

/** Converts an email to the library's form: structured fields only, one recipient. Fails if an address is not valid. */
export const messageOf = (mail: Mail, at: number): Effect.Effect<SendMailOptions, MailRefused> => {
  const from = canonicalEmail(mail.from.address)
  const to = canonicalEmail(mail.to)
  if (from === undefined) return Effect.fail(noAddress("sender"))
  if (to === undefined) return Effect.fail(noAddress("recipient"))
  const sender = { address: foldedEmail(from), name: headerText(mail.from.name ?? "") }
  const recipient = { address: foldedEmail(to), name: "" }
  return Effect.succeed({
    envelope: { from: { ...sender, name: "" }, to: [recipient] },
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

/** The messages for failures without a server response, by the library's error code. */
const FAILURES: Readonly<Record<string, readonly [MailRefusal, string]>> = {
  EABORT: ["connection", "The mail server did not respond in time"],
  ECONNECTION: ["connection", "The mail server can't be reached or closed the connection"],
  EDNS: ["host", "The mail server's host name can't be resolved"],
  ESOCKET: ["connection", "The mail server can't be reached"],
  ETIMEDOUT: ["connection", "The mail server did not respond in time"],
  ETLS: ["certificate", "A trusted TLS connection to the mail server can't be established"]
}

/** The error codes of untrusted certificates. */
const CERTIFICATE_REFUSED = /CERT|SIGNATURE|ALTNAME/

/** The commands whose rejection is about this email, not about the service. */
const MAIL_COMMANDS: ReadonlySet<string | undefined> = new Set(["RCPT TO", "DATA"])

const AUTHENTICATION_REQUIRED = 530

const NO_STARTTLS =
  "The mail server does not support STARTTLS, so nothing is sent to it unencrypted. Use smtps://, or add ?tls=optional to SALLYPORT_SMTP_URL."

const refusalOf = ({ code = "", originalCode, command, permanent, response, responseCode }: NodemailerError) => {
  // A response to a login may repeat the credentials, so its text is not passed on.
  if (code.includes("AUTH")) {
    const codeSuffix = responseCode === undefined ? "" : ` (${responseCode})`
    const message = `The mail server rejected the user name or password in SALLYPORT_SMTP_URL${codeSuffix}.`
    return new MailRefused({ message, isFinal: false, isUnavailable: true, reason: "login" })
  }
  if (code === "ETLS" && response !== undefined)
    return new MailRefused({ message: NO_STARTTLS, isFinal: false, isUnavailable: true, reason: "starttls" })
  if (response !== undefined && responseCode !== undefined) {
    const isFinal = permanent === true && responseCode !== AUTHENTICATION_REQUIRED && MAIL_COMMANDS.has(command)
    return new MailRefused({
      message: `The mail server rejected the email: ${headerText(response)}`,
      isFinal,
      isUnavailable: false,
      reason: "email"
    })
  }
  const cause = originalCode === undefined ? "" : ` (${originalCode})`
  const kind = CERTIFICATE_REFUSED.test(originalCode ?? "") ? "ETLS" : code
  const [reason, says] = FAILURES[kind] ?? (["connection", "The email can't be sent"] as const)
  return new MailRefused({ message: `${says}${cause}.`, isFinal: false, isUnavailable: true, reason })
}

const openPool = ({ url: given, hostname, timeouts = TIMEOUTS }: SmtpOptions) => {
  const url = new URL(Redacted.value(given))
  const requireTLS = needsStartTls(url)
  // The library would interpret the query as its own options.
  url.search = ""
  return Effect.acquireRelease(
    // Loaded with the first email, because loading takes as long as the rest of a start.
    Effect.map(
      Effect.promise(() => import("nodemailer")),
      ({ createTransport }) =>
        createTransport({
          pool: true,
          url: url.href,
          requireTLS,
          name: hostname,
          maxConnections: MAX_CONNECTIONS,
          maxRequeues: MAX_REQUEUES,
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
  const poolOf = (url: Redacted.Redacted) =>
    Effect.map(Effect.cached(Effect.uninterruptible(Scope.provide(openPool({ ...options, url }), scope))), (pool) => ({
      url,
      pool
    }))
  let opened = yield* poolOf(options.url)
  /** The connections to the mail server. Reconnects after the URL has changed. */
  const pool = Effect.gen(function* () {
    const url = options.currentUrl?.() ?? options.url
    if (Redacted.value(url) === Redacted.value(opened.url)) return yield* opened.pool
    const { pool: before } = opened
    opened = yield* poolOf(url)
    // Emails that are being sent are completed first.
    yield* Effect.map(before, (old) => old.close())
    return yield* opened.pool
  })
  const { mail: timeout } = options.timeouts ?? TIMEOUTS

  const send = Effect.fn("Smtp.send")(function* (mail: Mail) {
    const message = yield* messageOf(mail, yield* Clock.currentTimeMillis)
    const transport = yield* pool
    return yield* Effect.callback<string, MailRefused>((resume, interrupted) => {
      const signal = AbortSignal.any([interrupted, AbortSignal.timeout(timeout)])
      transport.sendMail({ ...message, signal }, (error, info) =>
        resume(error === null ? Effect.succeed(headerText(info.response)) : Effect.fail(refusalOf(error)))
      )
    })
  })

  return Mailer.of({ send })
})

/** Connects to a mail server and logs in as if to send an email, but sends none. */
export const verify = (options: SmtpOptions): Effect.Effect<void, MailRefused> =>
  Effect.scoped(
    Effect.flatMap(openPool(options), (transport) =>
      Effect.callback<void, MailRefused>((resume) => {
        transport.verify((error) => resume(error === null ? Effect.void : Effect.fail(refusalOf(error))))
      })
    )
  )

/** Sends emails through a mail server, using a pool of persistent connections. */
export const layer = (options: SmtpOptions): Layer.Layer<Mailer> => Layer.effect(Mailer, make(options))
