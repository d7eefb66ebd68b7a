import type { Schema } from "effect"
import type { newUserFieldsV2 } from "#api/provisioning/Fields"
import type { Problem } from "#domain/Rejected"
import { newUserOf as newUserOfEither } from "./NewUsers.ts"

/** The new user in a `/v2` request. The user is always human, and the username is optional. */
export const newUserOf = (sent: Schema.Struct<typeof newUserFieldsV2>["Type"], problems: Array<Problem>) =>
  newUserOfEither(sent, { userType: "human", usernameRequired: false }, problems)
