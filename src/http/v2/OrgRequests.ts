import type { Schema } from "effect"
import type { orgFields } from "#api/v2/OrgFields"
import type { OrgAttributes } from "#domain/Org"
import { presence } from "#domain/Text"
import { given } from "../Translate.ts"

/** The attributes a caller sent of an org. */
export const orgAttributesOf = (sent: Schema.Struct<typeof orgFields>["Type"]): OrgAttributes =>
  given({
    state: sent.state,
    name: sent.name === null ? "" : sent.name,
    reference: sent.reference === undefined ? undefined : presence(sent.reference),
    custom: sent.custom === null ? {} : sent.custom
  })
