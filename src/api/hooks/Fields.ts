import { Schema } from "effect"
import { emailRenderers, hookStates, hookTypes, hookUserTypes } from "#domain/AppHook"
import { Choice, Integer, maybe, Text, Words } from "../Wire.ts"

// The core checks what these hold: the type of the hook decides which of them it has.
const text = maybe(Schema.String)

/** What a caller may set of a hook (`v1.hook`). */
const settings = {
  state: Schema.optionalKey(Choice(hookStates)),
  event_type: Schema.optionalKey(Words(Schema.String)),
  delay: maybe(Integer),
  destination: text,
  email_from: text,
  email_from_name: text,
  email_renderer: maybe(Choice(emailRenderers)),
  email_subject: text,
  email_template: text,
  email_to: text,
  user_type: maybe(Choice(hookUserTypes))
}

export const Settings = Schema.Struct(settings)

export type HookPayload = (typeof Settings)["Type"]

/** The same for a new hook. */
export const Creation = Schema.Struct({
  hook_type: maybe(Choice(hookTypes)),
  realm_id: maybe(Text()),
  ...settings
})
