import { Schema } from "effect"
import { orgStates } from "#domain/Org"
import { Choice, Custom, maybe, Text } from "../Wire.ts"

/** What a caller may set of an org (api-v2 section 2). */
export const orgFields = {
  state: Schema.optionalKey(Choice(orgStates)),
  name: maybe(Text()),
  reference: maybe(Text()),
  custom: maybe(Custom)
}
