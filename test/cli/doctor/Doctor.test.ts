import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import { describe, expect, test } from "vitest"
import { certificateOf, type ServerCertificate } from "#cli/doctor/checks/Certificate"
import { RELEASE } from "#server/Command"
import { certificate, certificateKey, startMailServer } from "../../server/MailServer.ts"
import { freshDatabase } from "../../support/databases.ts"
import { ownService, service } from "../../support/sallyport.ts"
import { cli, serviceEnvironment } from "../Cli.ts"
import { examined, type Found, memory } from "./Examined.ts"

const SECRET = "8f14e45fceea167a5a36dedd4bea2543c9f0f895fb98ab9159f51fd0297e236d"
const ROOT_KEY = "c4ca4238a0b923820dcc509a6f75849bc81e728d9d4c2f636f067f89cc14862c"

const databaseUrl = async () => {
  const target = await freshDatabase()
  return target._tag === "Postgres" ? Redacted.value(target.url) : "memory://"
}

/** Creates a folder for the files of one test. */
const inFolder = async (use: (folder: string) => Promise<void>) => {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-doctor-"))
  try {
    await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe("sallyport doctor", () => {
  test("finds no problems in a valid production configuration", async () => {
    const smtp = await startMailServer()
    const { code, all, of } = await examined({
      DATABASE_URL: await databaseUrl(),
      SALLYPORT_SECRET: SECRET,
      SALLYPORT_ROOT_KEY: ROOT_KEY,
      SALLYPORT_SMTP_URL: `smtp://${smtp.address}`,
      SALLYPORT_MAIL_FROM: "Acme <no-reply@id.example.test>"
    })
    await smtp.stop()
    expect([code, all.filter(({ verdict }) => verdict === "problem")]).toEqual([0, []])
    expect(of("secrets")).toEqual([
      "ok: No secret looks guessable. In the environment: DATABASE_URL, SALLYPORT_ROOT_KEY, SALLYPORT_SECRET, SALLYPORT_SMTP_URL; a file (DATABASE_URL_FILE) would hide it from child processes and crash reports."
    ])
    expect(of("database")).toEqual([
      expect.stringMatching(
        /^(?:ok|warning): PostgreSQL at 127\.0\.0\.1:\d+\/\w+.*PostgreSQL \d+\.\d+.* [\d.]+ ms away/
      )
    ])
    expect(of("migrations")).toEqual([expect.stringMatching(/^ok: All \d+ migrations are applied\.$/)])
    expect(of("privileges")).toEqual(["ok: sallyport has all privileges that the service needs in the schema public."])
    expect(of("pooler")).toEqual([expect.stringMatching(/^ok: /)])
    expect(of("stored secrets")).toEqual([expect.stringMatching(/^ok: All 0 secrets in the database/)])
    expect(of("deliveries")).toEqual(["ok: No pending emails or webhooks."])
    expect(of("mail")).toEqual([`ok: ${smtp.address} accepts connections without a login.`])
    expect(of("webhook")).toEqual([
      "ok: Private addresses are rejected, as they should be. Use --webhook-url to test an external receiver."
    ])
    expect(of("clock")).toEqual(["ok: This machine's clock agrees with the clock of the database."])
    expect(of("service")).toEqual([
      "skipped: No service is running at http://localhost:65001. Use --url to check another."
    ])
    expect([of("disk"), of("proxy"), of("certificate"), of("login hosts")]).toEqual([[], [], [], []])
  })

  test("reports all problems of the settings and continues with the remaining checks", async () => {
    const { code, of } = await examined({
      ...memory,
      PORT: "ninety",
      SALLYPORT_SECRET: "short",
      SALLYPORT_ROOT_KEY: "change-me-change-me-change-me-change-me",
      SALLYPORT_PUBLIC_URL: "http://id.example.test",
      SALLYPORT_TYPO: "1"
    })
    expect([code, of("configuration")]).toEqual([
      1,
      [
        "problem: PORT must be a whole number from 0 to 65535.",
        "problem: SALLYPORT_SECRET must be at least 32 characters long.",
        "warning: SALLYPORT_TYPO is not a setting in this release, so it is ignored."
      ]
    ])
    expect(of("secrets")).toEqual([
      "warning: SALLYPORT_SECRET repeats a few characters.",
      "warning: SALLYPORT_ROOT_KEY repeats a few characters."
    ])
    expect(of("public url")).toEqual([
      "problem: SALLYPORT_PUBLIC_URL is http://id.example.test, without TLS, so passwords and session cookies can be intercepted."
    ])
    expect(of("mail")).toEqual(["ok: Emails stay in the service's mailbox (/mailbox)."])
  })

  test("warns about test-only settings that would affect real users", async () => {
    const { of } = await examined({
      DATABASE_URL: await databaseUrl(),
      SALLYPORT_SECRET: SECRET,
      SALLYPORT_ROOT_KEY: SECRET,
      SALLYPORT_LIMITS: "off",
      SALLYPORT_ALLOW_PRIVATE_TARGETS: "true"
    })
    expect(of("modes")).toEqual([
      "warning: Rate limits are off.",
      "warning: Webhooks may go to private addresses, so anyone who creates hooks can reach your network."
    ])
    expect(of("secrets")).toEqual([
      "problem: SALLYPORT_ROOT_KEY is also a key in SALLYPORT_SECRET, so anyone who has one has both."
    ])
    expect(of("public url")).toEqual([
      "warning: SALLYPORT_PUBLIC_URL is not set, so tokens and emails contain http://localhost:65001."
    ])
    expect(of("mail")).toEqual([
      "warning: SALLYPORT_SMTP_URL is not set, so no email is sent, and nobody can verify an email or reset a password."
    ])
    expect(of("webhook")).toEqual(["ok: A signed message reached a receiver on this machine unchanged."])
  })

  test("reports an unreachable database once and skips the checks that depend on the database", async () => {
    const { of } = await examined({ DATABASE_URL: "postgres://me:secret@127.0.0.1:1/none", SALLYPORT_SECRET: SECRET })
    expect(of("database")).toEqual([
      expect.stringMatching(/^problem: PostgreSQL at 127\.0\.0\.1:1\/none cannot be used: .*ECONNREFUSED/)
    ])
    for (const check of ["migrations", "privileges", "connections", "pooler"]) {
      expect([check, of(check)]).toEqual([check, ["skipped: The database can't be reached."]])
    }
    expect(of("stored secrets")).toEqual(["skipped: The database can't be read, or isn't migrated to this release."])
  })

  test("inspects the embedded database's folder without creating files", () =>
    inFolder(async (folder) => {
      const [absent, broken] = [join(folder, "absent"), join(folder, "broken")]
      expect((await examined({ SALLYPORT_DATA_DIR: absent })).of("database")).toEqual([
        `ok: There is no database in ${absent} yet. The first start creates it.`
      ])
      const { of } = await examined({ SALLYPORT_DATA_DIR: absent })
      expect(of("disk")).toEqual([expect.stringContaining(`are free on the disk of ${absent}.`)])
      expect(of("stored secrets")).toEqual(["skipped: There is no database yet."])
      rmSync(broken, { recursive: true, force: true })
      writeFileSync(join(folder, "database"), "")
      const { code, of: found } = await examined({ SALLYPORT_DATA_DIR: folder })
      expect([code, found("database")]).toEqual([
        1,
        [`problem: The file ${folder}/secret is missing, so the encrypted data in the database can't be read.`]
      ])
    }))

  test("warns about a secret file that every user can read", () =>
    inFolder(async (folder) => {
      const file = join(folder, "secret")
      writeFileSync(file, SECRET, { mode: 0o644 })
      expect((await examined({ ...memory, SALLYPORT_SECRET_FILE: file })).of("secrets")).toEqual([
        `warning: Every user of this machine can read ${file} (SALLYPORT_SECRET_FILE).`
      ])
    }))
})

describe("the service check of the doctor", () => {
  test("finds the service by --url and reports its state for operators", async () => {
    const { url, key } = await service()
    const { all, of } = await examined({ ...memory, ...serviceEnvironment({ url, key }) })
    expect(all.flatMap(({ check, place }) => (place === "service" ? [check] : []))).toEqual(["service", "clock"])
    expect(of("service")).toEqual([
      expect.stringMatching(
        new RegExp(
          `^ok: The service at ${url} is ready: Sallyport ${RELEASE.replaceAll(".", "\\.")}, \\d+ background jobs healthy\\.$`
        )
      )
    ])
    const { of: named } = await examined(memory, "--url", "http://127.0.0.1:65001")
    expect(named("service")).toEqual([
      "problem: The service at http://127.0.0.1:65001 can't be reached: the connection was refused."
    ])
  })

  test("finds the public URL behind an untrusted proxy and behind a proxy that changes Host", () =>
    ownService(
      async ({ url, key }) => {
        /** A proxy that forwards requests with additional headers. */
        const through =
          (added: Readonly<Record<string, string>>): typeof globalThis.fetch =>
          (to, init) => {
            const { origin, pathname } = new URL(String(to))
            const isPublic = origin === "http://id.example.test"
            const headers = { ...Object.fromEntries(new Headers(init?.headers)), ...(isPublic ? added : {}) }
            return fetch(`${url}${pathname}`, { ...init, headers })
          }
        const proxied = async (added: Readonly<Record<string, string>>) => {
          const environment = {
            ...memory,
            PORT: "65001",
            SALLYPORT_PUBLIC_URL: "http://id.example.test",
            ...serviceEnvironment({ url, key })
          }
          const { out } = await cli(["doctor", "--json"], { environment, fetch: through(added) })
          const { checks }: { readonly checks: ReadonlyArray<Found> } = JSON.parse(out)
          return checks.filter(({ check }) => check === "proxy").map(({ says }) => says)
        }
        const [changed] = await proxied({ "x-forwarded-for": "203.0.113.7" })
        expect(changed).toMatch(/^The proxy changes Host: from id\.example\.test to 127\.0\.0\.1:\d+\./)
        const [, silent] = await proxied({})
        expect(silent).toMatch(/^The proxy at 127\.0\.0\.1 sends no X-Forwarded-For/)
        const scheme = await proxied({ "x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https" })
        expect(scheme[1]).toBe("The proxy says X-Forwarded-Proto: https, but the public URL is http://id.example.test.")
      },
      { trustedProxies: ["127.0.0.1"] }
    ))
})

test("trusts a server's certificate only if the certificate authority is trusted", async () => {
  const { createServer } = await import("node:https")
  const server = createServer({ key: certificateKey, cert: certificate })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const url = `https://127.0.0.1:${typeof address === "object" ? address?.port : 0}`
  const found = (ca?: string) => Effect.runPromise(certificateOf(url, ca))
  const of = (refusal: string | undefined): ServerCertificate => ({
    until: Date.UTC(2120, 0, 1),
    issuer: "mail.example.test",
    refusal
  })
  expect(await found()).toEqual(of("DEPTH_ZERO_SELF_SIGNED_CERT"))
  expect(await found(certificate)).toEqual(of(undefined))
  server.close()
  expect(await found()).toContain("ECONNREFUSED")
})
