import { Schema } from "effect"
import type { Reply } from "#testing/Api"
import type { Authenticator, Ceremony } from "#testing/Authenticator"
import { unescapeHtml } from "./pages.ts"
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
export type PasskeyOptions = (typeof Asked)["Type"]

/** The passkey options in an API response. */
export const passkeyOptionsIn = (text: string): PasskeyOptions => Schema.decodeUnknownSync(Asked)(JSON.parse(text))

export const passkeyOptionsBy = ({ text }: Reply): PasskeyOptions => passkeyOptionsIn(text)

/** The passkey options on a page. */
export const passkeyOptionsOn = ({ page }: Visitor): PasskeyOptions => {
  const found = /data-options="([^"]*)"/.exec(page.text)?.[1]
  if (found === undefined) throw new Error(`The page has no passkey options: ${page.status} ${page.text}`)
  return Schema.decodeUnknownSync(Asked)(JSON.parse(unescapeHtml(found)))
}

/** The authenticator's response, in the form that a page or an API call submits. */
export const authenticatorResponse = (
  authenticator: Authenticator,
  { token, options }: PasskeyOptions,
  ceremony: Ceremony
) => ({
  token,
  response: JSON.stringify(
    "rp" in options ? authenticator.create(options, ceremony) : authenticator.get(options, ceremony)
  )
})

/** Creates a passkey for a logged-in user on the page for new passkeys. */
export const createPasskey = async (
  visitor: Visitor,
  authenticator: Authenticator,
  more: { readonly passkey_name?: string } = {}
) => {
  await visitor.open("/passkey")
  const answer = authenticatorResponse(authenticator, passkeyOptionsOn(visitor), { origin: visitor.origin })
  return visitor.send("/passkey", { way: "create", ...answer, ...more })
}
