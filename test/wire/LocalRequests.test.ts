import { Effect, Option } from "effect"
import { fromInput } from "effect/http/Headers"
import { expect, test } from "vitest"
import { isProxyHeader, LocalRequests } from "#http/LocalRequest"
import { OUTBOUND_HEADER } from "#platform/Outbound"

const direct = { publicUrl: "http://localhost:3000", trustedProxies: [] }

/** Returns whether the service treats a request as local. */
const isLocal = (
  peer: string | undefined,
  headers: Readonly<Record<string, string>>,
  options: { readonly publicUrl: string; readonly trustedProxies: ReadonlyArray<string> } = direct
): boolean =>
  Effect.runSync(
    LocalRequests.pipe(
      Effect.map((requests) =>
        requests.isLocal({ headers: fromInput(headers), peerAddress: Option.fromUndefinedOr(peer) })
      ),
      Effect.provide(LocalRequests.layer(options))
    )
  )

const localHeaders = { host: "localhost:3000" }

test.each(["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"])("treats requests from %s as local", (peer) => {
  expect(isLocal(peer, localHeaders)).toBe(true)
})

test.each([
  undefined,
  "",
  "10.0.0.1",
  "192.168.1.5",
  "172.17.0.1",
  "203.0.113.7",
  "0.0.0.0",
  "::",
  "fe80::1",
  "::ffff:10.0.0.1"
])("does not treat requests from %s as local", (peer) => {
  expect(isLocal(peer, localHeaders)).toBe(false)
})

test.each([
  "localhost",
  "localhost:3000",
  "LOCALHOST.",
  "acme.local.localhost:3000",
  "127.0.0.1:3000",
  "[::1]:3000"
])("accepts %s as a local host name", (host) => {
  expect(isLocal("127.0.0.1", { host })).toBe(true)
})

test.each([
  "",
  "id.example.test",
  "evil.test:3000",
  "localhost.evil.test",
  "127.0.0.1.evil.test",
  "notlocalhost",
  "localhost@evil.test",
  "evil.test/localhost",
  "evil.test?localhost",
  "evil.test#.localhost",
  "localhost#evil.test",
  "10.0.0.1",
  "[::2]",
  "%"
])("rejects %s as a local host name", (host) => {
  expect(isLocal("127.0.0.1", { host })).toBe(false)
})

/** The headers added by nginx, Apache, HAProxy, Envoy, Traefik, Varnish, IIS and large providers' load balancers. */
const proxyHeaders = [
  "Forwarded",
  "Via",
  "X-Forwarded-For",
  "X-Forwarded-Host",
  "X-Forwarded-Proto",
  "X-Forwarded-Port",
  "X-Forwarded-Server",
  "X-Forwarded-Prefix",
  "X-Forwarded-Client-Cert",
  "X-Forwarded",
  "Forwarded-For",
  "X-Real-IP",
  "X-Client-IP",
  "Client-IP",
  "X-Cluster-Client-IP",
  "X-Original-Forwarded-For",
  "X-Original-Host",
  "X-Rewrite-URL",
  "X-ProxyUser-IP",
  "X-Remote-IP",
  "X-Scheme",
  "X-Varnish",
  "True-Client-IP",
  "CF-Connecting-IP",
  "CF-Ray",
  "CF-Visitor",
  "CF-IPCountry",
  "CDN-Loop",
  "CloudFront-Viewer-Address",
  "Fastly-Client-IP",
  "Fly-Client-IP",
  "X-Envoy-External-Address",
  "X-Envoy-Original-Path",
  "X-Amzn-Trace-Id",
  "X-Amz-Cf-Id",
  "X-Appengine-User-IP",
  "X-Cloud-Trace-Context",
  "X-ARR-ClientCert",
  "X-Azure-ClientIP",
  "X-Vercel-Id",
  "Ali-CDN-Real-IP",
  "Remote-Addr",
  "X_Forwarded_For",
  "X-Coming-From",
  "X-LB-IP",
  "X-Trusted-Proxy",
  "Ngrok-Auth-User-Email",
  "Tailscale-User-Login"
]

test.each(proxyHeaders)("SEC-248: does not treat a request with the header %s as local", (name) => {
  expect(isLocal("127.0.0.1", { ...localHeaders, [name]: "127.0.0.1" })).toBe(false)
})

test("SEC-248: does not mistake ordinary client headers for proxy headers", () => {
  const own = [
    "accept",
    "accept-language",
    "authorization",
    "connection",
    "content-length",
    "content-type",
    "cookie",
    "host",
    "idempotency-key",
    "origin",
    "prefer",
    "referer",
    "sec-fetch-site",
    "traceparent",
    "user-agent",
    "x-request-id",
    "x-requested-with",
    "x-service-api-key"
  ]
  expect(own.filter(isProxyHeader)).toEqual([])
})

test.each(["1", ""])("SEC-248: does not treat the service's own outbound requests as local (%j)", (value) => {
  expect(isLocal("127.0.0.1", { ...localHeaders, [OUTBOUND_HEADER]: value })).toBe(false)
})

const reachedRemotely = [
  { publicUrl: "https://id.example.test", trustedProxies: [] },
  { publicUrl: "http://10.0.0.1:3000", trustedProxies: [] },
  { publicUrl: "http://localhost:3000", trustedProxies: ["127.0.0.1"] },
  { publicUrl: "http://localhost:3000", trustedProxies: ["10.0.0.0/8"] }
]

test.each(reachedRemotely)("SEC-248: treats no request as local with %o", (options) => {
  expect(isLocal("127.0.0.1", localHeaders, options)).toBe(false)
})

test.each([
  "http://localhost:3000",
  "http://127.0.0.1:3000",
  "http://[::1]",
  "https://id.localhost"
])("SEC-248: treats requests as local with the public URL %s", (publicUrl) => {
  expect(isLocal("127.0.0.1", localHeaders, { publicUrl, trustedProxies: [] })).toBe(true)
})
