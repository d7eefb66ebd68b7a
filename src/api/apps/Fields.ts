import { Schema } from "effect"
import { appStates, signupModes } from "#domain/ConnectedApp"
import { Choice, Flag, maybe, Words } from "../Wire.ts"

// The core checks what these hold and which of them are required.
const text = maybe(Schema.String)

/** What a caller may set of a connected app (`v1.app`, C41). */
export const Settings = Schema.Struct({
  state: Schema.optionalKey(Choice(appStates)),
  name: text,
  subdomain: text,
  header: text,
  footer: text,
  external_css: text,
  login_handler: text,
  signup_handler: text,
  // Not separated by commas: a URL can contain one.
  redirect_uris: maybe(Words(Schema.String, { most: 1_000, between: /\s+/u })),
  signup_mode: maybe(Choice(signupModes)),
  require_password_confirmation: maybe(Flag),
  require_names: maybe(Flag),
  require_org_name: maybe(Flag),
  allow_jsonp: maybe(Flag)
})

export type ConnectedAppPayload = (typeof Settings)["Type"]
