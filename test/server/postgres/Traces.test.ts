import { request } from "node:http"
import { expect, onTestFinished, test } from "vitest"
import { Api } from "#testing/Api"
import { GivenRealm } from "#testing/Given"
import { newStandIn } from "../../support/standIns.ts"
import { startMailServer } from "../MailServer.ts"
import { start } from "../ServerProcess.ts"
import { freshEnvironment, ROOT_KEY } from "./FreshEnvironment.ts"

interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: number }
}

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: ReadonlyArray<Attribute>
  readonly links: ReadonlyArray<{ readonly traceId: string; readonly spanId: string }>
}

const PROXY = "127.0.0.2"
const [OURS, THEIRS, SPAN] = ["a1".repeat(16), "b2".repeat(16), "c3".repeat(8)]

/** Sends a request from an address of this machine. */
const send = (url: string, from: string, key: string, headers: Readonly<Record<string, string>>, body?: object) =>
  new Promise<number>((resolve, reject) => {
    const sent = request(
      url,
      {
        localAddress: from,
        method: body === undefined ? "GET" : "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers }
      },
      (response) => response.resume().on("end", () => resolve(response.statusCode ?? 0))
    )
    sent.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body))
  })

test("SEC-224, C232: a request is traced with all its parts, and only a trusted proxy's trace is continued", async () => {
  const paths = ["v1/traces", "v1/logs", "v1/metrics"]
  const collector = await newStandIn(Object.fromEntries(paths.map((path) => [path, {}])))
  const receiver = await newStandIn({ hook: {} })
  const mails = await startMailServer()
  onTestFinished(mails.stop)
  const running = await start({
    ...(await freshEnvironment()),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    SALLYPORT_TRACED_PERCENT: "50",
    SALLYPORT_TRUSTED_PROXIES: PROXY,
    SALLYPORT_SMTP_URL: `smtp://mailer:s3cret@${mails.address}`,
    SALLYPORT_ALLOW_PRIVATE_TARGETS: "true"
  })
  const made = await new Api(running.url, ROOT_KEY).post("/v2/realms", { realm: { name: "Traced", jwt_algo: "hs256" } })
  const realm = new GivenRealm(running.url, ROOT_KEY, made.id)
  const destination = `${receiver.url}/hook`
  await realm.post("/v2/hooks", { hook: { realm_id: realm.id, event_type: ["user.created"], destination } })

  const inRealm = { "x-service-realm": realm.id, baggage: "canary=baggage", tracestate: "canary=state" }
  const from = (address: string, flags: string, body?: object) => {
    const traceparent = `00-${address === PROXY ? OURS : THEIRS}-${SPAN}-${flags}`
    return send(`${running.url}/v2/users`, address, ROOT_KEY, { ...inRealm, traceparent }, body)
  }
  const user = { email: "canary@example.test", password: "nightingale sings", email_verification: "requested" }
  expect(await from(PROXY, "01", { user })).toBe(201)
  expect(await from(PROXY, "00")).toBe(200)
  const strangers = await Promise.all(Array.from({ length: 10 }, () => from("127.0.0.1", "01")))
  expect(strangers).toEqual(strangers.map(() => 200))
  const row = JSON.stringify({ user: { email: "imported@example.test" } })
  const headers = { ...inRealm, "content-type": "application/x-ndjson", traceparent: `00-${OURS}-${SPAN}-01` }
  await new Promise<void>((resolve, reject) => {
    const sent = request(
      `${running.url}/v2/imports`,
      { localAddress: PROXY, method: "POST", headers: { authorization: `Bearer ${ROOT_KEY}`, ...headers } },
      (response) => response.resume().on("end", resolve)
    )
    sent.on("error", reject).end(`${row}\n`)
  })
  await expect.poll(() => [receiver.got.length, mails.arrived.length]).toEqual([1, 1])
  await running.stop("SIGTERM")

  const spans: ReadonlyArray<Span> = collector
    .at("v1/traces")
    .flatMap(({ body }) => JSON.parse(body).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap((scope) => scope.spans)
  const of = ({ attributes }: Span, key: string) =>
    attributes.find((attribute) => attribute.key === key)?.value.stringValue

  const creation = spans.find(({ name, traceId }) => name === "POST /v2/users" && traceId === OURS)
  expect([creation?.parentSpanId, creation === undefined ? "" : of(creation, "http.route")]).toEqual([
    SPAN,
    "/v2/users"
  ])
  const inTrace = spans.filter(({ traceId }) => traceId === OURS)
  const below = (span: Span): boolean =>
    span.parentSpanId === creation?.spanId || inTrace.some((one) => one.spanId === span.parentSpanId && below(one))
  const statements = inTrace.filter((span) => below(span)).flatMap((span) => of(span, "db.query.text") ?? [])
  expect(statements.some((text) => /insert into users\b/.test(text) && /\$1/.test(text))).toBe(true)
  expect(inTrace.some((span) => below(span) && span.name === "password hash")).toBe(true)
  expect(inTrace.filter(({ name }) => name === "GET /v2/users")).toEqual([])
  for (const name of ["outbound POST", "send mail"]) expect(spans.map((span) => span.name)).toContain(name)

  // Half of the strangers' requests are sampled, regardless of their headers, in traces that the service starts.
  expect(spans.filter(({ traceId }) => traceId === THEIRS)).toEqual([])
  const listed = spans.filter(({ name }) => name === "GET /v2/users")
  expect(listed).toHaveLength(5)
  for (const { parentSpanId, links } of listed) {
    expect([parentSpanId, links.map(({ traceId, spanId }) => [traceId, spanId])]).toEqual([undefined, [[THEIRS, SPAN]]])
  }

  const sent = collector.got.map(({ body }) => body).join("\n")
  expect(sent.match(/canary[\w-]*|nightingale/g) ?? []).toEqual([])
  expect(Object.keys(receiver.got[0]?.headers ?? {}).filter((name) => /trace|baggage|b3/.test(name))).toEqual([])

  const ended = running.output().match(/^\{.*"An import has ended\.".*$/m)?.[0] ?? "{}"
  expect(JSON.parse(ended)).toMatchObject({ trace_id: OURS, request_id: expect.stringMatching(/^req_/) })
})
