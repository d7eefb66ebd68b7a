import type { Schema } from "effect"
import type { newUserFieldsV2 } from "#api/provisioning/Fields"
import { newUserOf as newUserOfEither } from "./NewUsers.ts"

/** The new user that a caller of `/v2` sent: always human, and without need of a username. */
export const newUserOf = (sent: Schema.Struct<typeof newUserFieldsV2>["Type"]) =>
  newUserOfEither(sent, { userType: "human", usernameRequired: false })
