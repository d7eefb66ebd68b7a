import { expect, test } from "vitest"
import { nativeUriProblem } from "#domain/WebUrl"

test.each([
  "cursor://anysphere.cursor-mcp/oauth/user-mcp/callback",
  "vscode://vscode.github-authentication/did-authenticate",
  "Zed://extensions?next=1",
  "com.example.app:/callback",
  "https://app.example.test/callback",
  "http://127.0.0.1/callback"
])("C214: accepts %s as the redirect URI of a program on a device", (uri) => {
  expect(nativeUriProblem(uri)).toBeUndefined()
})

test.each([
  "javascript://app.example.test/%0aalert(1)",
  "JavaScript://app.example.test/%0aalert(1)",
  "data://text/html,x",
  "file://host/etc/passwd",
  "blob://app.example.test/x",
  "about://blank",
  "view-source://app.example.test/",
  "ws://app.example.test/",
  "ftp://app.example.test/",
  "mailto://jo@app.example.test",
  "tel://5550100",
  "intent://scan/",
  "ms-settings://network",
  "search-ms://query",
  "chrome-extension://abcdef/page.html",
  "web+notes://callback",
  "googlechromes://app.example.test/",
  "firefox://open-url?url=https://app.example.test/",
  "jnlp://app.example.test/x",
  "x://callback",
  "editor:callback",
  "editor:/callback",
  "editor://",
  "editor:///callback",
  "1editor://callback",
  "edi_tor://callback",
  "editor://call back",
  "editor://call\\back",
  "http://app.example.test/callback"
])("SEC-213: rejects %s as the redirect URI of a program on a device", (uri) => {
  expect(nativeUriProblem(uri)).toBe("program_uri_form")
})

test.each([
  "editor://user:password@callback",
  "editor://callback#fragment"
])("SEC-213: rejects a user or fragment in %s", (uri) => {
  expect(nativeUriProblem(uri)).toBe("url_parts")
})
