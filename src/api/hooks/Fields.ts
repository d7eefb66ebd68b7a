import { Schema } from "effect"
import {
  emailRenderers,
  hookStates,
  hookTypes,
  hookUserTypes,
  MAX_DELAY_SECONDS,
  MAX_TEMPLATE_LENGTH
} from "#domain/AppHook"
import { TEXT_LENGTH } from "#domain/Text"
import { URL_LENGTH } from "#domain/WebUrl"
import { describe, type Keywords } from "../Description.ts"
import { Choice, Integer, maybe, Text, Words } from "../Wire.ts"
import { texts } from "./Texts.ts"

// The core checks the values, which depend on the type of the hook.
const text = (description: string, keywords: Keywords) => describe(maybe(Schema.String), description, keywords)

const line = { maxLength: TEXT_LENGTH }

const address = { format: "email", maxLength: 254 } as const

/** The settings of a hook that a caller can set (`v1.hook`). */
const settings = {
  state: describe(Schema.optionalKey(Choice(hookStates)), `${texts.state} Default: \`active\`.`, { default: "active" }),
  event_type: describe(Schema.optionalKey(Words(Schema.String)), `${texts.event_type} Default: none.`, {
    type: ["array", "string"],
    items: { $ref: "#/components/schemas/EventType" }
  }),
  delay: describe(maybe(Integer), `${texts.delay} Default: 0.`, {
    minimum: 0,
    maximum: MAX_DELAY_SECONDS,
    default: 0
  }),
  destination: text(`${texts.destination} Required.`, { format: "uri", maxLength: URL_LENGTH }),
  email_from: text(`${texts.email_from} Default: null.`, address),
  email_from_name: text(`${texts.email_from_name} Default: null.`, line),
  email_renderer: describe(maybe(Choice(emailRenderers)), `${texts.email_renderer} Default: \`markdown\`.`, {
    default: "markdown"
  }),
  email_subject: text(`${texts.email_subject} Required for a new hook.`, line),
  email_template: text(`${texts.email_template} Required for a new hook.`, { maxLength: MAX_TEMPLATE_LENGTH }),
  email_to: text(`${texts.email_to} Default: null.`, address),
  user_type: describe(maybe(Choice(hookUserTypes)), `${texts.user_type} Default: \`all\`.`, { default: "all" })
}

export const Settings = Schema.Struct(settings).annotate({ identifier: "HookInput" })

export type HookPayload = (typeof Settings)["Type"]

/** The settings of a new hook. `realm` is the description of the default realm. */
export const creation = (realm: string, identifier: string) =>
  Schema.Struct({
    hook_type: describe(maybe(Choice(hookTypes)), `${texts.hook_type} Can't be changed later. Default: \`webhook\`.`, {
      default: "webhook"
    }),
    realm_id: describe(
      maybe(Text()),
      `The ID of the realm whose events the hook sends; null for all realms, which requires a key of level \`admin_all_realms\`. Can't be changed later. ${realm}`
    ),
    ...settings
  }).annotate({ identifier })

/** The event to render a preview for. */
export const previewedEvent = describe(
  maybe(Text()),
  "The ID of the event to render the email for, which must have the hook's type. Default: the realm's newest event of that type, or else sample data."
)

/** The settings of an email hook that affect a preview. */
export const MailSettings = Schema.Struct({
  hook_type: describe(maybe(Choice(["email"])), "The type: always `email`.", { default: "email" }),
  realm_id: describe(
    maybe(Text()),
    "The ID of the realm whose events the hook sends; null for all realms, which requires a key of level `admin_all_realms`. Required, unless the key is locked to a realm."
  ),
  ...settings,
  event_id: previewedEvent
}).annotate({ identifier: "MailHookInput" })
