import type { Schema } from "effect"
import type { orgFieldsV2 } from "#api/provisioning/Fields"
import type { OrgAttributes } from "#domain/Org"
import { nonBlank } from "#domain/Text"
import { omitUndefined } from "../WireMapping.ts"

/** The members of an org in a request of either version. */
export type OrgPayload = Schema.Struct<typeof orgFieldsV2>["Type"]

/** The org attributes in a request. */
export const orgAttributesOf = (sent: OrgPayload): OrgAttributes =>
  omitUndefined({
    state: sent.state,
    name: sent.name === null ? "" : sent.name,
    reference: sent.reference === undefined ? undefined : nonBlank(sent.reference),
    custom: sent.custom === null ? {} : sent.custom
  })
