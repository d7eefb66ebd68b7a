import { expect, test } from "vitest"
import { hasPlainPath, publicPathOf, withoutPublicPath, withPublicPath } from "#domain/PublicPath"

test.each([
  ["https://id.example.com", ""],
  ["https://example.com/auth", "/auth"],
  ["https://example.com/id/eu/", "/id/eu"]
])("C274: the path of %s is %j", (publicUrl, path) => expect(publicPathOf(publicUrl)).toBe(path))

test.each([
  ["/auth", "/"],
  ["/auth/", "/"],
  ["/auth?a=b", "/?a=b"],
  ["/auth/v2/users?search=/auth", "/v2/users?search=/auth"],
  ["/auth/auth/x", "/auth/x"],
  ["/.well-known/oauth-authorization-server/auth/realms/rlm_1", "/.well-known/oauth-authorization-server/realms/rlm_1"],
  ["/.well-known/openid-configuration/auth/realms/rlm_1", "/.well-known/openid-configuration/realms/rlm_1"],
  ["http://id.example.com/auth/v2/users", "http://id.example.com/v2/users"],
  ["http://id.example.com/auth?a=b", "http://id.example.com/?a=b"],
  ["/v2/users", "/v2/users"],
  ["/authorize", "/authorize"],
  ["/.well-known/openid-configuration", "/.well-known/openid-configuration"],
  ["/x/auth/v2", "/x/auth/v2"],
  ["*", "*"]
])("C274: under the public path /auth, %s is routed as %s", (url, routed) =>
  expect(withoutPublicPath("/auth", url)).toBe(routed))

test("C274: URLs and pages are unchanged without a path", () => {
  expect(withoutPublicPath("", "/auth/x")).toBe("/auth/x")
  expect(withPublicPath("", '<a href="/docs">')).toBe('<a href="/docs">')
})

test("C274: links, forms and files of a page get the path as prefix, and external URLs are unchanged", () => {
  const page = (at: string) =>
    `<a class="x" href="${at}/docs"><form action="${at}/mailbox"><script src="${at}/a.js"></script><p>/docs, href=&quot;/docs&quot;</p>`
  const elsewhere = '<a href="//cdn.example"><a href="https://example.com/docs"><a href="#top"><a href="forgot">'
  expect(withPublicPath("/auth", page("") + elsewhere)).toBe(page("/auth") + elsewhere)
})

test.each([
  ["https://example.com", true],
  ["https://example.com/auth", true],
  ["https://example.com/id/eu-1_a.b~c", true],
  ["https://example.com/a b", false],
  ["https://example.com/a%20b", false],
  ["https://example.com//auth", false],
  ["https://example.com/a/../b", false],
  ["https://example.com/a/.", false],
  ["https://example.com/auth#x", false],
  ['https://example.com/"><script>', false]
])("C274: the path of %s consists of plain characters: %s", (url, isPlain) => expect(hasPlainPath(url)).toBe(isPlain))
