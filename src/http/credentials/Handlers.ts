import { Effect } from "effect"
import { Api } from "#api/Api"
import { Credentials } from "#core/credentials/Credentials"
import { withKnownProblems } from "#domain/KnownProblems"
import type { Problem } from "#domain/Rejected"
import { problem } from "#domain/Rejected"
import { nonBlank } from "#domain/Text"
import type { EndpointRequest } from "../EndpointRequest.ts"
import { invalid, wireErrors } from "../Errors.ts"
import { credentialAttributesOf, credentialRequestOf } from "../provisioning/NewCredentials.ts"
import { handlerGroup } from "../RequestServices.ts"
import { credentialBody } from "./Bodies.ts"
import { creationOf } from "./PasskeyRequests.ts"

type Request<Operation extends string> = EndpointRequest<"v2.credentials", Operation>

/** The operations on credentials, the same in both versions. */
const handlers = Effect.map(Credentials, (credentials) => {
  const { Blocked, CredentialNotFound, HashingBusy, RealmNotFound, Rejected } = wireErrors
  return {
    get: ({ params }: Request<"get">) =>
      credentials
        .get(params.credential_id)
        .pipe(Effect.flatMap(credentialBody), Effect.catchTags({ CredentialNotFound })),
    create: ({ payload: { credential: sent } }: Request<"create">) => {
      const problems: Array<Problem> = []
      const request = {
        ...credentialRequestOf(sent, problems),
        userId: sent.user_id,
        token: sent.token ?? undefined,
        creation: creationOf(sent.response)
      }
      return withKnownProblems(problems, credentials.create(request)).pipe(
        Effect.flatMap(credentialBody),
        Effect.catchTags({ HashingBusy, RealmNotFound, Rejected })
      )
    },
    update: ({ params, payload }: Request<"update">) => {
      const problems: Array<Problem> = []
      const changes = credentialAttributesOf(payload.credential, problems)
      return withKnownProblems(problems, credentials.update(params.credential_id, changes)).pipe(
        Effect.flatMap(credentialBody),
        Effect.catchTags({ CredentialNotFound, HashingBusy, RealmNotFound, Rejected })
      )
    },
    verify: ({ params, payload }: Request<"verify">) =>
      credentials.verify(params.credential_id, nonBlank(payload.credential.code ?? null)).pipe(
        Effect.flatMap(credentialBody),
        Effect.catchTags({
          Blocked,
          CredentialNotFound,
          RealmNotFound,
          Rejected,
          WrongCode: () => invalid([problem("code", "verification_failed")])
        })
      ),
    delete: ({ params }: Request<"delete">) =>
      credentials.delete(params.credential_id).pipe(Effect.catchTags({ CredentialNotFound, RealmNotFound }))
  }
})

/** `/v1/credentials` */
export const CredentialsHandlersV1 = handlerGroup(Api, "v1.credentials", (group) =>
  Effect.map(handlers, (all) => group.handleAll(all))
)

/** `/v2/credentials` */
export const CredentialsHandlersV2 = handlerGroup(Api, "v2.credentials", (group) =>
  Effect.map(handlers, (all) => group.handleAll(all))
)
