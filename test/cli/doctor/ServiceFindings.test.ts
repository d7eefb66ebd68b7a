import { describe, expect, test } from "vitest"
import { certificateFinding } from "#cli/doctor/checks/Certificate"
import { proxyFindings, seenFindings } from "#cli/doctor/checks/Proxy"
import { serviceFindings } from "#cli/doctor/checks/RunningService"
import type { Readiness, ServiceResponse } from "#cli/doctor/ServiceResponse"
import { RELEASE } from "#server/Command"
import { cli } from "../Cli.ts"
import { findingsText } from "./FindingsText.ts"

const request: NonNullable<Readiness["request"]> = {
  ip: "203.0.113.7",
  peer: "10.0.0.4",
  peer_is_trusted: true,
  host: "id.example.com",
  forwarded_for: "203.0.113.7",
  forwarded_proto: null
}

const answered = (
  readiness: Partial<NonNullable<ServiceResponse["readiness"]>> | undefined,
  status = 200
): ServiceResponse => ({
  _tag: "Answered",
  status,
  ahead: 0,
  readiness: readiness === undefined ? undefined : { status: "ready", ...readiness }
})

describe("the service check", () => {
  const at = {
    url: "http://10.0.0.5:3000",
    isNamed: true,
    hasKey: true,
    ownKeys: ["0a1b2c3d"] as ReadonlyArray<string> | undefined
  }
  const jobs = { DeliverHooks: { ok: true, restarts: 0, lag_seconds: 0 } }
  const finding = (answer: Parameters<typeof serviceFindings>[1], given: Partial<typeof at> = {}) =>
    findingsText(serviceFindings({ ...at, ...given }, answer))

  test("reports whether the service is ready, with the reasons for operators", () => {
    expect(finding(answered({ version: RELEASE, actors: jobs }))).toEqual([
      `ok: The service at http://10.0.0.5:3000 is ready: Sallyport ${RELEASE}, 1 background job healthy.`
    ])
    for (const [hasKey, why] of [
      [true, "the key's level is not admin_all_realms"],
      [false, "no key is set (SALLYPORT_KEY)"]
    ] as const) {
      expect(finding(answered({}), { hasKey })).toEqual([
        `ok: The service at http://10.0.0.5:3000 is ready. It doesn't show details, because ${why}.`
      ])
    }
    for (const [readiness, why] of [
      [{ missing_keys: ["0a1b2c3d"] }, "it lacks the encryption key 0a1b2c3d, which encrypts values in the database"],
      [{ draining: true }, "it is stopping"],
      [{ draining: false, database: "unreachable" }, "its database doesn't respond"],
      [{}, "it doesn't say why"]
    ] as const) {
      expect(finding(answered({ status: "not ready", ...readiness }, 503))).toEqual([
        `problem: The service at http://10.0.0.5:3000 is not ready: ${why}.`
      ])
    }
  })

  test("reports a service that doesn't match these settings or can't be identified", () => {
    const other = answered({ version: RELEASE, actors: jobs, encryption_keys: ["99999999"] })
    expect(finding(other)).toEqual([
      "warning: The service at http://10.0.0.5:3000 doesn't use these settings: it encrypts with the key 99999999, but these settings with 0a1b2c3d."
    ])
    const own = answered({ version: RELEASE, actors: jobs, encryption_keys: ["99999999", "0a1b2c3d"] })
    const ready = `ok: The service at http://10.0.0.5:3000 is ready: Sallyport ${RELEASE}, 1 background job healthy.`
    expect([finding(own), finding(other, { ownKeys: undefined }), finding(other, { ownKeys: [] })]).toEqual([
      [ready],
      [ready],
      [ready]
    ])
    expect(finding(other, { ownKeys: [], isNamed: false })).toEqual([
      "warning: The service at http://10.0.0.5:3000 is a different service, because these settings have no database yet."
    ])
    expect(finding(answered({}), { isNamed: false, hasKey: false })).toEqual([
      "skipped: A service at http://10.0.0.5:3000 is ready. It doesn't show whether it uses these settings, because no key is set (SALLYPORT_KEY)."
    ])
  })

  test("reports a different release and jobs that fail or are late", () => {
    const actors = {
      DeliverHooks: { ok: false, restarts: 3, lag_seconds: 2 },
      SweepEvents: { ok: true, restarts: 0, lag_seconds: 900 }
    }
    expect(finding(answered({ version: "9.9.9", actors }))).toEqual([
      `warning: The service at http://10.0.0.5:3000 runs Sallyport 9.9.9, but this command is from ${RELEASE}.`,
      "problem: Background jobs fail: DeliverHooks.",
      "warning: Background jobs are more than 5 minutes late: SweepEvents."
    ])
  })

  test("treats a missing service as a problem only if the service URL was given", () => {
    const refused = { _tag: "Unanswered", code: "ECONNREFUSED" } as const
    expect(finding(refused)).toEqual([
      "problem: The service at http://10.0.0.5:3000 can't be reached: the connection was refused."
    ])
    expect(finding(refused, { isNamed: false })).toEqual([
      "skipped: No service is running at http://10.0.0.5:3000. Use --url to check another."
    ])
    expect(finding(answered(undefined, 404))).toEqual([
      "problem: The server at http://10.0.0.5:3000 is not Sallyport (HTTP 404)."
    ])
    expect(finding(answered(undefined, 404), { isNamed: false })).toEqual([
      "skipped: The server at http://10.0.0.5:3000 is not Sallyport. Use --url to check a service."
    ])
  })
})

describe("the proxy check", () => {
  const publicUrl = "https://id.example.com"
  const seen = (given: Partial<typeof request>, url = publicUrl) =>
    findingsText(seenFindings(url, { ...request, ...given }))

  test("accepts a trusted proxy that passes on the caller's address", () => {
    expect(seen({})).toEqual(["ok: The proxy at 10.0.0.4 is trusted and reports the caller: 203.0.113.7."])
    expect(seen({ forwarded_proto: "https" })).toEqual(seen({}))
  })

  test("reports a proxy that hides the caller, is not trusted, or changes Host or the scheme", () => {
    const counts = "all users behind it count as one address and share its rate limits."
    for (const peer_is_trusted of [true, false]) {
      expect(seen({ forwarded_for: null, peer_is_trusted })).toEqual([
        `problem: The proxy at 10.0.0.4 sends no X-Forwarded-For: ${counts}`
      ])
    }
    expect(seen({ peer_is_trusted: false })).toEqual([
      `problem: The proxy at 10.0.0.4 sends X-Forwarded-For but is not trusted: ${counts}`
    ])
    expect(seenFindings(publicUrl, { ...request, peer_is_trusted: false })[0]?.todo).toContain(
      "SALLYPORT_TRUSTED_PROXIES=10.0.0.4 "
    )
    expect(seen({ host: "127.0.0.1:3000" })).toEqual([
      "problem: The proxy changes Host: from id.example.com to 127.0.0.1:3000. Apps' pages are selected by it."
    ])
    expect(seen({ forwarded_proto: "http" })).toEqual([
      "warning: The proxy says X-Forwarded-Proto: http, but the public URL is https://id.example.com."
    ])
  })

  test("reports a missing proxy if requests arrive directly, without TLS", () => {
    const direct = { host: "10.0.0.5:3000", forwarded_for: null, peer_is_trusted: false }
    expect(seen(direct, "http://10.0.0.5:3000")).toEqual([
      "ok: Requests reach the service directly; no proxy adds headers."
    ])
  })

  test("reports a proxy that leads to another service or to no service", () => {
    const finding = (answer: Parameters<typeof proxyFindings>[1], given: object = {}) =>
      findingsText(proxyFindings({ publicUrl, hasKey: true, isOwn: true, ...given }, answer))
    expect(finding(answered({ request }))).toEqual(seen({}))
    expect(finding({ _tag: "Unanswered", code: "ENOTFOUND" })).toEqual([
      "problem: The public URL, https://id.example.com, can't be reached: the host name is unknown."
    ])
    expect(finding(answered(undefined, 502))).toEqual([
      "problem: The server at the public URL, https://id.example.com, is not Sallyport (HTTP 502)."
    ])
    expect(finding(answered({}))).toEqual([
      "problem: The service accepts the key, but its public URL, https://id.example.com, doesn't: another service responds there, or the proxy drops the Authorization header."
    ])
    expect(finding(answered({}), { hasKey: false })).toEqual([
      "skipped: Sallyport responds at https://id.example.com. Checking the proxy's headers requires a key of level admin_all_realms (SALLYPORT_KEY)."
    ])
  })
})

test("the doctor reports a certificate that is valid, expires soon, has expired, is untrusted or is missing", () => {
  const now = Date.UTC(2026, 0, 1)
  const finding = (days: number, refusal?: string) =>
    findingsText(
      certificateFinding("id.example.com", { until: now + days * 86_400_000, issuer: "Let's Encrypt", refusal }, now)
    )
  expect(finding(80)).toEqual(["ok: The certificate of id.example.com (Let's Encrypt) is valid until 2026-03-22."])
  expect(finding(9)).toEqual([
    "warning: The certificate of id.example.com (Let's Encrypt) expires in 9 days, on 2026-01-10."
  ])
  expect(finding(-2, "CERT_HAS_EXPIRED")).toEqual(["problem: The certificate of id.example.com expired on 2025-12-30."])
  expect(finding(80, "SELF_SIGNED_CERT_IN_CHAIN")).toEqual([
    "problem: The certificate of id.example.com is not trusted: SELF_SIGNED_CERT_IN_CHAIN."
  ])
  expect(findingsText(certificateFinding("id.example.com", "connect ECONNREFUSED", now))).toEqual([
    "problem: id.example.com doesn't offer TLS: connect ECONNREFUSED."
  ])
})

test("the doctor groups the findings by settings and service", async () => {
  const url = "http://10.0.0.5:3000"
  const environment = { DATABASE_URL: "memory://", SALLYPORT_URL: url }
  const fetch = async () =>
    new Response('{"status":"ready"}', {
      headers: { "content-type": "application/json", date: new Date().toUTCString() }
    })
  const { out } = await cli(["doctor"], { environment, fetch })
  const [settings = "", running = ""] = out.split(`\n\nService at ${url}\n`)
  expect(settings).toMatch(/^Settings of this environment\nok {7}node /)
  expect(settings).not.toContain(url)
  expect(running).toMatch(/^ok {7}service .+\nok {7}clock .+\n\n\d+ ok, /)
})
