import { Effect } from "effect"
import { Api } from "#api/Api"
import type { UserTokenBody } from "#api/signup/V1"
import { SignupTokens } from "#core/provisioning/SignupTokens"
import { withKnownProblems } from "#domain/KnownProblems"
import type { Problem } from "#domain/Rejected"
import type { SignupToken } from "#domain/SignupToken"
import { wireErrors } from "../Errors.ts"
import { lowerCaseUsername } from "../memberships/BodiesV1.ts"
import { passwordOf } from "../provisioning/NewCredentials.ts"
import { handlerGroup } from "../RequestServices.ts"
import { omitUndefined } from "../WireMapping.ts"

/** A signup token. Its ID is the token itself, which is not stored. */
const userTokenBody = (token: string, signup: SignupToken): typeof UserTokenBody.Type => ({
  id: token,
  object: "user_token",
  username: lowerCaseUsername(signup.username),
  email: signup.email,
  first_name: signup.firstName,
  last_name: signup.lastName,
  credential_type: "password"
})

/** `/v1/user_tokens` */
export const UserTokensHandlersV1 = handlerGroup(
  Api,
  "v1.user_tokens",
  Effect.fn(function* (handlers) {
    const signups = yield* SignupTokens
    const { Rejected, HashingBusy, SignupTokenNotFound, RealmNotFound } = wireErrors

    return handlers.handleAll({
      get: ({ params }) =>
        signups.get(params.token_id).pipe(
          Effect.map((signup) => userTokenBody(params.token_id, signup)),
          Effect.catchTags({ SignupTokenNotFound })
        ),
      create: ({ payload: { user_token: sent } }) =>
        Effect.gen(function* () {
          const { username, email, first_name: firstName, last_name: lastName } = sent
          const attributes = omitUndefined({ username, email, firstName, lastName })
          const problems: Array<Problem> = []
          const request = { attributes, password: passwordOf(sent, problems) }
          const { token, signup } = yield* withKnownProblems(problems, signups.create(request))
          return userTokenBody(token, signup)
        }).pipe(Effect.catchTags({ Rejected, HashingBusy, RealmNotFound }))
    })
  })
)
