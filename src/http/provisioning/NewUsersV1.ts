import type { Schema } from "effect"
import type { newUserFieldsV1 } from "#api/provisioning/Fields"
import type { NewUser } from "#core/provisioning/NewUsers"
import { type Problem, problem } from "#domain/Rejected"
import { nonBlank } from "#domain/Text"
import { newUserOf as newUserOfEither } from "./NewUsers.ts"

type Sent = Schema.Struct<typeof newUserFieldsV1>["Type"]

/** The signup token in a user's request. A blank token counts as missing. */
export const signupTokenOf = (sent: Pick<Sent, "token">): string | undefined =>
  nonBlank(sent.token ?? null) ?? undefined

/** The new user in a `/v1` request, with a type and a username. A user with a signup token is human. */
export const newUserOf = (sent: Sent, problems: Array<Problem>): NewUser => {
  const userType = sent.user_type ?? (signupTokenOf(sent) === undefined ? undefined : "human")
  if (userType === undefined) problems.push(problem("user_type", "blank"))
  return newUserOfEither(sent, { userType: userType ?? "human", usernameRequired: true }, problems)
}
