import type { Schema } from "effect"
import type { newUserFieldsV2 } from "#api/provisioning/Fields"
import { newUserOf as newUserOfEither } from "./NewUsers.ts"

/** A new user as a caller of `/v2` sent it: every user is human there, and needs no username. */
export const newUserOf = (sent: Schema.Struct<typeof newUserFieldsV2>["Type"]) =>
  newUserOfEither(sent, { userType: "human", usernameRequired: false })
