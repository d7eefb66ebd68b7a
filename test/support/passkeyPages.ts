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

/** The options for an authenticator from a page or from the hosted login API. */
export type AskedPasskey = (typeof Asked)["Type"]

/** The passkey options in an API response. */
export const askedIn = (text: string): AskedPasskey => Schema.decodeUnknownSync(Asked)(JSON.parse(text))

export const askedBy = ({ text }: Reply): AskedPasskey => askedIn(text)

/** The passkey options on a page. */
export const askedOn = ({ page }: Visitor): AskedPasskey => {
  const found = /data-options="([^"]*)"/.exec(page.text)?.[1]
  if (found === undefined) throw new Error(`The page has no passkey options: ${page.status} ${page.text}`)
  return Schema.decodeUnknownSync(Asked)(JSON.parse(unescaped(found)))
}

/** The authenticator's response, in the form that a page or an API call submits. */
export const answered = (authenticator: Authenticator, { token, options }: AskedPasskey, ceremony: Ceremony) => ({
  token,
  response: JSON.stringify(
    "rp" in options ? authenticator.create(options, ceremony) : authenticator.get(options, ceremony)
  )
})

/** Creates a passkey for a logged-in user on the page for it. */
export const createsPasskey = async (
  visitor: Visitor,
  authenticator: Authenticator,
  more: { readonly passkey_name?: string } = {}
) => {
  await visitor.open("/passkey")
  const answer = answered(authenticator, askedOn(visitor), { origin: visitor.origin })
  return visitor.send("/passkey", { way: "create", ...answer, ...more })
}
