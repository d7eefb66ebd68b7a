import { expect, test } from "vitest"
import { isLocalRequest } from "#http/LocalRequest"

const host = (name: string) => ({ host: name })

test.each(["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"])("%s is the machine itself", (peer) => {
  expect(isLocalRequest(peer, host("localhost:3000"))).toBe(true)
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
])("%s is not", (peer) => {
  expect(isLocalRequest(peer, host("localhost:3000"))).toBe(false)
})

test.each([
  "localhost",
  "localhost:3000",
  "LOCALHOST.",
  "acme.local.localhost:3000",
  "127.0.0.1:3000",
  "[::1]:3000"
])("%s names the machine itself", (name) => {
  expect(isLocalRequest("127.0.0.1", host(name))).toBe(true)
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
])("another name does not: %s", (name) => {
  expect(isLocalRequest("127.0.0.1", host(name))).toBe(false)
})

test("Who comes through a proxy is not taken for the proxy, whatever the proxy says of them", () => {
  for (const name of ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"]) {
    expect(isLocalRequest("127.0.0.1", { host: "localhost", [name]: "127.0.0.1" })).toBe(false)
    expect(isLocalRequest("203.0.113.7", { host: "localhost", [name]: "127.0.0.1" })).toBe(false)
  }
})
