import type { Schema } from "effect"
import type { newUserFieldsV2 } from "#api/provisioning/Fields"
import type { Problem } from "#domain/Rejected"
import { newUserOf as newUserOfEither } from "./NewUsers.ts"

/** The new user that a caller of `/v2` sent: always human, and without need of a username. */
export const newUserOf = (sent: Schema.Struct<typeof newUserFieldsV2>["Type"], problems: Array<Problem>) =>
  newUserOfEither(sent, { userType: "human", usernameRequired: false }, problems)
