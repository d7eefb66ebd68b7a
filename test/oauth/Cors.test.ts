import { expect, test } from "vitest"
import { publicKeyPaths } from "#http/keys/PublicKeys"
import { Api } from "#testing/Api"
import { oauthClient } from "../support/oauth.ts"
import { redeem, sendAs, sendForm, storedCode } from "../support/oauthTokens.ts"
import { service, workerSql } from "../support/sallyport.ts"

const own = "https://app.example.test"

const started = async () => {
  const [{ given }, sql] = [await service(), await workerSql()]
  const realm = await given.realm()
  return { sql, realm, spa: await oauthClient(realm, { client_type: "spa" }) }
}

test("SEC-161: only pages on a client's own origins can read its token responses and errors", async () => {
  const { sql, realm, spa } = await started()
  const user = await realm.user()
  const from = async (origin: string, params: Readonly<Record<string, string>> = {}) => {
    const reply = await redeem(spa, realm, await storedCode(sql, realm, spa, user.id), params, { origin })
    return [reply.status, reply.headers.get("access-control-allow-origin"), reply.headers.get("vary")]
  }
  expect(await from(own)).toEqual([200, own, "origin"])
  expect(await from(own, { code: "x" })).toEqual([400, own, "origin"])
  for (const origin of ["https://evil.example", `${own}.evil.example`, "http://app.example.test", "null"]) {
    expect(await from(origin)).toEqual([200, null, "origin"])
  }
})

test("SEC-161: pages cannot read introspection responses or token responses of confidential clients", async () => {
  const { sql, realm, spa } = await started()
  const web = await oauthClient(realm)
  const code = await storedCode(sql, realm, web, (await realm.user()).id)
  const headers = { origin: own }
  const replies = [
    await redeem(web, realm, code, {}, headers),
    await sendAs(spa, realm, "introspect", { token: "x" }, headers),
    await sendForm(realm, "token", { grant_type: "refresh_token", client_id: "lpl_x" }, headers)
  ]
  for (const reply of replies) {
    expect(reply.headers.get("access-control-allow-credentials")).toBeNull()
  }
  expect(replies[0]?.headers.get("access-control-allow-origin")).toBeNull()
  expect(replies[2]?.headers.get("access-control-allow-origin")).toBeNull()
})

/** Each endpoint that pages of other origins call, with a method that needs a preflight request. */
const crossOrigin = [
  ...publicKeyPaths.map((path) => [path, "GET"] as const),
  ...["token", "revoke", "userinfo", "register", "register/lpl_x"].map(
    (name) => [`/realms/:realm_id/${name}`, name === "register/lpl_x" ? "PUT" : "POST"] as const
  )
]

test.each(crossOrigin)("the preflight response for %s allows %s requests with any header", async (path, method) => {
  const { realm } = await started()
  const headers = {
    origin: "https://inspector.example",
    "access-control-request-method": method,
    "access-control-request-headers": "authorization,mcp-protocol-version,traceparent"
  }
  const reply = await new Api(realm.transport, undefined).call("OPTIONS", path.replace(":realm_id", realm.id), {
    headers
  })
  expect([reply.status, reply.text]).toEqual([204, ""])
  expect(reply.headers.get("access-control-allow-origin")).toBe("*")
  expect(reply.headers.get("access-control-allow-headers")).toBe("*, authorization, content-type, dpop")
  expect(reply.headers.get("access-control-allow-methods")).toContain(method)
  expect(reply.headers.get("access-control-allow-credentials")).toBeNull()
})
