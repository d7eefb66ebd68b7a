import { Schema } from "effect"
import { Choice } from "../Wire.ts"
import { orgFields as inV2 } from "./OrgFieldsV2.ts"

/** The states of an org in `/v1`: a closed one reads as `inactive` there (decision 17). */
export const orgStates = ["active", "inactive"] as const

/** What a caller may set of an org (api-v1 section 2). */
export const orgFields = { ...inV2, state: Schema.optionalKey(Choice(orgStates)) }
