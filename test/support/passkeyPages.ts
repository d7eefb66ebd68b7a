import { Schema } from "effect"
import type { Reply } from "#testing/Api"
import type { Authenticator, Ceremony } from "#testing/Authenticator"
import { unescaped } from "./pages.ts"
import type { Visitor } from "./visitor.ts"

const Descriptors = Schema.Array(Schema.Struct({ id: Schema.String }))

const Asked = Schema.Struct({
  token: Schema.String,
  options: Schema.Union([
    Schema.Struct({
      challenge: Schema.String,
      rp: Schema.Struct({ id: Schema.String }),
      user: Schema.Struct({ id: Schema.String }),
      pubKeyCredParams: Schema.Array(Schema.Struct({ alg: Schema.Number })),
      excludeCredentials: Descriptors
    }),
    Schema.Struct({ challenge: Schema.String, rpId: Schema.String, allowCredentials: Descriptors })
  ])
})

/** What is asked of an authenticator, by a page or by the API of hosted login. */
export type AskedPasskey = (typeof Asked)["Type"]

/** What an answer of the API asks for. */
export const askedIn = (text: string): AskedPasskey => Schema.decodeUnknownSync(Asked)(JSON.parse(text))

export const askedBy = ({ text }: Reply): AskedPasskey => askedIn(text)

/** What a page asks for. */
export const askedOn = ({ page }: Visitor): AskedPasskey => {
  const found = /data-options="([^"]*)"/.exec(page.text)?.[1]
  if (found === undefined) throw new Error(`No passkey is asked for: ${page.status} ${page.text}`)
  return Schema.decodeUnknownSync(Asked)(JSON.parse(unescaped(found)))
}

/** The answer of an authenticator, as a form or a call of the API sends it. */
export const answered = (authenticator: Authenticator, { token, options }: AskedPasskey, ceremony: Ceremony) => ({
  token,
  response: JSON.stringify(
    "rp" in options ? authenticator.create(options, ceremony) : authenticator.get(options, ceremony)
  )
})

/** Has somebody who is logged in create a passkey on the page for it. */
export const createsPasskey = async (
  visitor: Visitor,
  authenticator: Authenticator,
  more: { readonly passkey_name?: string } = {}
) => {
  await visitor.open("/passkey")
  const answer = answered(authenticator, askedOn(visitor), { origin: visitor.origin })
  return visitor.send("/passkey", { way: "create", ...answer, ...more })
}
