import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect, Exit, Redacted } from "effect"
import { readSettings } from "#server/Config"
import { commandVariables, variables } from "#server/Variables"

const problems = (environment: Readonly<Record<string, string>>) =>
  readSettings(environment).pipe(
    Effect.as<ReadonlyArray<string>>([]),
    Effect.catch((refused) => Effect.succeed(refused.problems))
  )

const SECRET = "a-secret-of-more-than-thirty-two-characters"

it.effect("defaults to the embedded database in ./data and to 127.0.0.1:3000 when no variable is set", () =>
  Effect.gen(function* () {
    expect(yield* readSettings({})).toMatchObject({
      port: 3000,
      host: "127.0.0.1",
      database: { _tag: "Embedded", dataDir: "./data" },
      publicUrl: "http://localhost:3000",
      loginDomain: "localhost",
      region: "local",
      headerPrefix: "X-Service",
      maxRealms: 100,
      eventRetentionDays: 365,
      secrets: []
    })
  })
)

it.effect("listens on every address when DATABASE_URL is set", () =>
  Effect.gen(function* () {
    const settings = yield* readSettings({ DATABASE_URL: "postgres://u:p@db/x", SALLYPORT_SECRET: SECRET })
    expect(settings).toMatchObject({ host: "0.0.0.0", database: { _tag: "Postgres" } })
  })
)

it.effect("treats DATABASE_URL=memory:// as an embedded database that stores no data on disk", () =>
  Effect.gen(function* () {
    expect(yield* readSettings({ DATABASE_URL: "memory://" })).toMatchObject({
      host: "127.0.0.1",
      database: { _tag: "Memory" }
    })
  })
)

it.effect("SEC-48: rejects DATABASE_URL without SALLYPORT_SECRET in one clear sentence", () =>
  Effect.gen(function* () {
    expect(yield* problems({ DATABASE_URL: "postgres://u:hidden@db/x" })).toEqual([
      "SALLYPORT_SECRET is required with DATABASE_URL. It must have at least 32 characters, and stay the same at every start."
    ])
  })
)

it.effect(
  "SEC-67: allows private targets by default with the embedded database, and with PostgreSQL only if configured",
  () =>
    Effect.gen(function* () {
      const allowed = (environment: Readonly<Record<string, string>>) =>
        Effect.map(readSettings(environment), ({ allowPrivateTargets }) => allowPrivateTargets)
      const postgres = { DATABASE_URL: "postgres://u:p@db/x", SALLYPORT_SECRET: SECRET }
      expect(yield* allowed({})).toBe(true)
      expect(yield* allowed({ DATABASE_URL: "memory://" })).toBe(true)
      expect(yield* allowed(postgres)).toBe(false)
      for (const [value, expected] of Object.entries({ true: true, on: true, false: false, off: false })) {
        expect(yield* allowed({ SALLYPORT_ALLOW_PRIVATE_TARGETS: value })).toBe(expected)
        expect(yield* allowed({ ...postgres, SALLYPORT_ALLOW_PRIVATE_TARGETS: value })).toBe(expected)
      }
      expect(yield* problems({ SALLYPORT_ALLOW_PRIVATE_TARGETS: "yes" })).toEqual([
        "SALLYPORT_ALLOW_PRIVATE_TARGETS must be true or false."
      ])
    })
)

it.effect("SEC-10: trusts only proxies listed by address or network", () =>
  Effect.gen(function* () {
    expect((yield* readSettings({})).trustedProxies).toEqual([])
    expect(yield* readSettings({ SALLYPORT_TRUSTED_PROXIES: "10.0.0.0/8, 192.0.2.7,2001:db8::/32" })).toMatchObject({
      trustedProxies: ["10.0.0.0/8", "192.0.2.7", "2001:db8::/32"]
    })
    for (const [value, wrong] of [
      ["proxy", '"proxy" is'],
      ["10.0.0.0/33", '"10.0.0.0/33" is'],
      ["10.0/8", '"10.0/8" is'],
      ["10.0.0.1,::/129", '"::/129" is'],
      ["10.0.0.1,", '"" is'],
      ["10.0.0.1 10.0.0.2,::1,*", '"10.0.0.1 10.0.0.2", "*" are'],
      ["a,b,c,d,e,f,g", '"a", "b", "c", "d", "e" and 2 more are']
    ] as const) {
      expect(yield* problems({ SALLYPORT_TRUSTED_PROXIES: value })).toEqual([
        `SALLYPORT_TRUSTED_PROXIES must be IP addresses, or networks such as 10.0.0.0/8, separated by commas. ${wrong} not.`
      ])
    }
  })
)

it.effect("accepts only smtp:// and smtps:// URLs for the mail server and never echoes the URL", () =>
  Effect.gen(function* () {
    for (const url of [
      "smtp://mail:1025",
      "smtp://us%40er:p%2Fw@mail.example.test:587",
      "smtps://[::1]/",
      "smtp://mail:25?tls=optional",
      "smtp://mail?tls=required"
    ]) {
      const { smtpUrl } = yield* readSettings({ SALLYPORT_SMTP_URL: url })
      expect(smtpUrl === undefined ? undefined : Redacted.value(smtpUrl)).toBe(url)
    }
    for (const url of ["mail:25", "http://u:hidden@mail", "smtp://u:hidden@mail/x", "smtp:mail", "smtp://a%20b"]) {
      expect(yield* problems({ SALLYPORT_SMTP_URL: url })).toEqual([
        "SALLYPORT_SMTP_URL must be an smtp:// or smtps:// URL with a host, and nothing after the port."
      ])
    }
    for (const query of ["logger=true", "tls=none", "tls=", "tls=optional&tls=required", "TLS=optional"]) {
      expect(yield* problems({ SALLYPORT_SMTP_URL: `smtp://u:hidden@mail?${query}` })).toEqual([
        "SALLYPORT_SMTP_URL can only end with ?tls=optional or ?tls=required, and only with smtp://."
      ])
    }
    expect(yield* problems({ SALLYPORT_SMTP_URL: "smtps://mail?tls=optional" })).toHaveLength(1)
    expect((yield* readSettings({})).smtpUrl).toBeUndefined()
  })
)

it.effect("SEC-88: lets hooks send from the sender's domain, or from the configured domains", () =>
  Effect.gen(function* () {
    const from = (environment: Readonly<Record<string, string>>) =>
      Effect.map(readSettings(environment), ({ mailFromDomains }) => mailFromDomains)
    const smtp = { SALLYPORT_SMTP_URL: "smtps://mail.example.test" }
    expect(yield* from({})).toBe("any")
    expect(yield* from({ SALLYPORT_MAIL_FROM: "id@acme.test" })).toBe("any")
    expect(yield* from(smtp)).toEqual(["localhost"])
    expect(yield* from({ ...smtp, SALLYPORT_PUBLIC_URL: "https://id.acme.test" })).toEqual(["id.acme.test"])
    expect(yield* from({ ...smtp, SALLYPORT_MAIL_FROM: "Acme <id@Acme.test>" })).toEqual(["acme.test"])
    expect(yield* from({ SALLYPORT_MAIL_FROM_DOMAINS: "Acme.test, shop.test" })).toEqual(["acme.test", "shop.test"])
    expect(yield* from({ ...smtp, SALLYPORT_MAIL_FROM_DOMAINS: "*" })).toBe("any")
    for (const [text, wrong] of [
      ["acme.test,", ""],
      ["shop.test,id@acme.test", "id@acme.test"],
      ["*.acme.test", "*.acme.test"],
      ["acme.test other.test", "acme.test other.test"]
    ] as const) {
      expect(yield* problems({ SALLYPORT_MAIL_FROM_DOMAINS: text })).toEqual([
        `SALLYPORT_MAIL_FROM_DOMAINS must be domain names separated by commas, or * for any. "${wrong}" is not.`
      ])
    }
  })
)

it.effect("uses no-reply at the public host as the default sender", () =>
  Effect.gen(function* () {
    const from = (environment: Readonly<Record<string, string>>) =>
      Effect.map(readSettings(environment), ({ mailFrom }) => mailFrom)
    expect(yield* from({})).toEqual({ address: "no-reply@localhost", name: null })
    expect(yield* from({ SALLYPORT_PUBLIC_URL: "https://id.acme.test:8443" })).toEqual({
      address: "no-reply@id.acme.test",
      name: null
    })
    expect(yield* from({ SALLYPORT_PUBLIC_URL: "http://[::1]:3000" })).toMatchObject({ address: "no-reply@localhost" })
    expect(yield* from({ SALLYPORT_MAIL_FROM: "id@acme.test" })).toEqual({ address: "id@acme.test", name: null })
    for (const text of ["Acme, Inc. <id@acme.test>", '"Acme, Inc." <id@acme.test>']) {
      expect(yield* from({ SALLYPORT_MAIL_FROM: text })).toEqual({ address: "id@acme.test", name: "Acme, Inc." })
    }
    for (const text of [
      "acme",
      "Acme id@acme.test",
      "a@b.test, c@d.test",
      "A <a@b.test> <c@d.test>",
      "A\r\nBcc: x@y.test <a@b.test>"
    ]) {
      expect(yield* problems({ SALLYPORT_MAIL_FROM: text })).toEqual([
        "SALLYPORT_MAIL_FROM must be an email address, or Name <address>."
      ])
    }
  })
)

it.effect("accepts several keys in SALLYPORT_SECRET for rotation and encrypts with the first", () =>
  Effect.gen(function* () {
    const { secrets } = yield* readSettings({ SALLYPORT_SECRET: `${SECRET}-new, ${SECRET}-old` })
    expect(secrets.map(Redacted.value)).toEqual([`${SECRET}-new`, `${SECRET}-old`])
  })
)

it.effect("reports all problems together without revealing secrets", () =>
  Effect.gen(function* () {
    const reportedProblems = yield* problems({
      PORT: "eighty",
      DATABASE_URL: "mysql://root:hidden-password@db/x",
      SALLYPORT_SECRET: "short-secret",
      SALLYPORT_ROOT_KEY: "short-key",
      SALLYPORT_PUBLIC_URL: "ftp://example.test",
      SALLYPORT_HEADER_PREFIX: "X Service",
      SALLYPORT_MAX_REALMS: "0",
      SALLYPORT_MAX_RELAMS: "5"
    })
    expect(reportedProblems).toEqual([
      "SALLYPORT_MAX_RELAMS is not a setting in this release. Did you mean SALLYPORT_MAX_REALMS?",
      "PORT must be a whole number from 0 to 65535.",
      "DATABASE_URL must start with postgres://, or be memory://.",
      "SALLYPORT_SECRET must be at least 32 characters long.",
      "SALLYPORT_HEADER_PREFIX must be up to 40 letters, digits and hyphens, starting with a letter.",
      "SALLYPORT_ROOT_KEY must be at least 32 characters long.",
      "SALLYPORT_PUBLIC_URL must be an http or https URL.",
      "SALLYPORT_MAX_REALMS must be a whole number from 1 to 1000000."
    ])
    expect(reportedProblems.join()).not.toMatch(/hidden-password|short-secret|short-key/)
  })
)

it.effect("reads a secret from the file in NAME_FILE, and rejects setting both variables", () =>
  Effect.gen(function* () {
    const file = join(mkdtempSync(join(tmpdir(), "sallyport-")), "root-key")
    writeFileSync(file, `${SECRET}\n`)
    const { rootKey } = yield* readSettings({ SALLYPORT_ROOT_KEY_FILE: file })
    expect(rootKey === undefined ? undefined : Redacted.value(rootKey)).toBe(SECRET)
    expect(yield* problems({ SALLYPORT_ROOT_KEY_FILE: file, SALLYPORT_ROOT_KEY: SECRET })).toEqual([
      "SALLYPORT_ROOT_KEY and SALLYPORT_ROOT_KEY_FILE are both set. Keep only one."
    ])
    // With PostgreSQL, the secret isn't also reported as missing.
    for (const database of [{}, { DATABASE_URL: "postgres://localhost/sallyport" }])
      expect(yield* problems({ ...database, SALLYPORT_SECRET_FILE: "/nowhere/secret" })).toEqual([
        "The file named by SALLYPORT_SECRET_FILE, /nowhere/secret, can't be read (ENOENT: no such file or directory, open '/nowhere/secret')."
      ])
  })
)

it.effect("does not print secrets when the settings are printed", () =>
  Effect.gen(function* () {
    const exit = yield* Effect.exit(readSettings({ SALLYPORT_ROOT_KEY: SECRET, SALLYPORT_SECRET: SECRET }))
    expect(Exit.isSuccess(exit)).toBe(true)
    expect(JSON.stringify(exit)).not.toContain(SECRET)
  })
)

it("documents in .env.example exactly the variables that the service and its commands read", () => {
  const text = readFileSync(new URL("../../.env.example", import.meta.url), "utf8")
  const named = [...text.matchAll(/^# (.+)\n([A-Z_]+)=/gm)].map(([, about, name]) => ({ name, about }))
  expect(named).toEqual([...variables, ...commandVariables].map(({ name, about }) => ({ name, about })))
})

it.effect("accepts only lowercase DNS names for the login domain and the region", () =>
  Effect.gen(function* () {
    const settings = yield* readSettings({ SALLYPORT_LOGIN_DOMAIN: "Login.Example.com", SALLYPORT_REGION: "EU-1" })
    expect(settings).toMatchObject({ loginDomain: "login.example.com", region: "eu-1" })
    for (const [name, what, ...values] of [
      [
        "SALLYPORT_LOGIN_DOMAIN",
        "a domain name without a port",
        "localhost:3000",
        "https://a.test",
        ".a",
        "a..b",
        "a_b",
        "-a.test",
        "a.".repeat(60) + "a"
      ],
      [
        "SALLYPORT_REGION",
        "letters, digits and hyphens, and can't start or end with a hyphen",
        "eu.west",
        "-eu",
        "eu-",
        "e u",
        "a".repeat(64)
      ]
    ] as const) {
      for (const value of values) expect(yield* problems({ [name]: value })).toEqual([`${name} must be ${what}.`])
    }
  })
)

it.effect("SEC-99: requires a separate ops port, which listens on the main address by default", () =>
  Effect.gen(function* () {
    expect((yield* readSettings({})).ops).toBe(undefined)
    expect((yield* readSettings({ HOST: "10.0.0.1", SALLYPORT_OPS_PORT: "9100" })).ops).toEqual({
      port: 9100,
      host: "10.0.0.1"
    })
    expect((yield* readSettings({ SALLYPORT_OPS_PORT: "9100", SALLYPORT_OPS_HOST: "::1" })).ops).toEqual({
      port: 9100,
      host: "::1"
    })
    for (const [environment, problem] of [
      [{ SALLYPORT_OPS_PORT: "3000" }, "SALLYPORT_OPS_PORT must be different from PORT."],
      [{ SALLYPORT_OPS_PORT: "x" }, "SALLYPORT_OPS_PORT must be a whole number from 0 to 65535."],
      [{ SALLYPORT_OPS_HOST: "::1" }, "SALLYPORT_OPS_HOST requires SALLYPORT_OPS_PORT."]
    ] as const) {
      expect(yield* problems(environment)).toEqual([problem])
    }
  })
)
