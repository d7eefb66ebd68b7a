import fc from "fast-check"
import { expect, test } from "vitest"
import { basicCredentials } from "#core/oauth/ClientCredentials"

const header = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`

const encoded = (text: string) => new URLSearchParams({ a: text }).toString().slice(2)

test("decodes client ID and secret in the header as form values (RFC 6749 §2.3.1)", () => {
  const text = fc.string({ unit: "grapheme", minLength: 1 })
  fc.assert(
    fc.property(text, text, (clientId, secret) => {
      expect(basicCredentials(header(`${encoded(clientId)}:${encoded(secret)}`))).toEqual({ clientId, secret })
    })
  )
})

test.each([
  ["Basic", undefined],
  ["Basic :", undefined],
  ["Basic %%%", undefined],
  ["Bearer abc", undefined],
  [header("lpl_1"), undefined],
  [header(":secret"), undefined],
  [header("lpl_1:%zz"), undefined],
  [header("lpl_1:%ff"), undefined],
  [header("lpl_1:"), { clientId: "lpl_1", secret: undefined }],
  [header("lpl_1:a:b"), { clientId: "lpl_1", secret: "a:b" }],
  [header("lpl_1:a+b").replace("Basic", "basic"), { clientId: "lpl_1", secret: "a b" }]
])("reads %s", (sent, read) => expect(basicCredentials(sent)).toEqual(read))
