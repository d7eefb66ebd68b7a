import { Schema } from "effect"
import { appStates, MAX_MARKUP_LENGTH, MAX_REDIRECT_URIS, signupModes } from "#domain/ConnectedApp"
import { TEXT_LENGTH } from "#domain/Text"
import { URL_LENGTH } from "#domain/WebUrl"
import { describe, type Keywords } from "../Description.ts"
import { Choice, Flag, maybe, Permissions, Words } from "../Wire.ts"
import { texts } from "./Texts.ts"

// The core checks what these hold and which of them are required.
const text = (description: string, keywords: Keywords) => describe(maybe(Schema.String), description, keywords)

const url = (description: string) => text(`${description} Default: none.`, { format: "uri", maxLength: URL_LENGTH })

const flag = (description: string, otherwise = false) =>
  describe(maybe(Flag), `${description} Default: ${otherwise}.`, { default: otherwise })

// Not separated by commas: a URL can contain one.
const urls = (description: string) =>
  describe(
    maybe(Words(Schema.String, { most: 1_000, between: /\s+/u })),
    `${description} A list, or one text with spaces between them. Default: none.`,
    { maxItems: MAX_REDIRECT_URIS }
  )

const markup = (description: string) => text(`${description} Default: none.`, { maxLength: MAX_MARKUP_LENGTH })

/** What a caller may set of a connected app (`v1.app`, C41). */
export const Settings = Schema.Struct({
  state: describe(Schema.optionalKey(Choice(appStates)), `${texts.state} Default: \`active\`.`, { default: "active" }),
  name: text(`${texts.name} Required for a new app.`, { maxLength: TEXT_LENGTH }),
  subdomain: text(`${texts.subdomain} Some names are reserved. Default: derived from the name.`, { maxLength: 63 }),
  header: markup(texts.header),
  footer: markup(texts.footer),
  external_css: url(texts.external_css),
  login_handler: text(`${texts.login_handler} Required under \`/v1\`. Default: none.`, {
    format: "uri",
    maxLength: URL_LENGTH
  }),
  signup_handler: url(texts.signup_handler),
  redirect_uris: urls(texts.redirect_uris),
  logout_uris: urls(texts.logout_uris),
  signup_mode: describe(maybe(Choice(signupModes)), `${texts.signup_mode} Default: \`user\`.`, { default: "user" }),
  require_password_confirmation: flag(texts.require_password_confirmation),
  require_names: flag(texts.require_names),
  require_org_name: flag(texts.require_org_name),
  allow_jsonp: flag(texts.allow_jsonp, true),
  auto_continue: flag(texts.auto_continue, true),
  allow_invitations: flag(texts.allow_invitations, true),
  invitation_permissions: describe(
    maybe(Permissions),
    `${texts.invitation_permissions} Up to 20 tags, as for memberships, none of which begins with \`ar:\`. Default: none.`
  )
}).annotate({ identifier: "ConnectedAppInput" })

export type ConnectedAppPayload = (typeof Settings)["Type"]
