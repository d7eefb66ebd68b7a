import type { Schema } from "effect"
import type { newUserFields } from "#api/nested/UserFieldsV2"
import { newUserOf as newUserOfEither } from "./NewUsers.ts"

/** A new user as a caller of `/v2` sent it: every user is human there, and needs no username. */
export const newUserOf = (sent: Schema.Struct<typeof newUserFields>["Type"]) =>
  newUserOfEither(sent, { userType: "human", usernameRequired: false })
