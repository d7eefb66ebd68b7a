import { Effect } from "effect"
import { Credentials } from "#core/credentials/Credentials"
import { problem } from "#domain/Rejected"
import { presence } from "#domain/Text"
import type { EndpointRequest } from "../EndpointRequest.ts"
import { invalid, wireErrors } from "../Errors.ts"
import { credentialAttributesOf, credentialRequestOf } from "../provisioning/NewCredentials.ts"
import { credentialBody } from "./Bodies.ts"

type Request<Operation extends string> = EndpointRequest<"v2.credentials", Operation>

/** The operations on credentials, the same in both versions. */
export const handlers = Effect.map(Credentials, (credentials) => {
  const { Blocked, CredentialNotFound, HashingBusy, RealmNotFound, Rejected } = wireErrors
  return {
    get: ({ params }: Request<"get">) =>
      credentials
        .get(params.credential_id)
        .pipe(Effect.flatMap(credentialBody), Effect.catchTags({ CredentialNotFound })),
    create: ({ payload: { credential: sent } }: Request<"create">) =>
      credentialRequestOf(sent).pipe(
        Effect.flatMap((request) => credentials.create({ ...request, userId: sent.user_id })),
        Effect.flatMap(credentialBody),
        Effect.catchTags({ HashingBusy, RealmNotFound, Rejected })
      ),
    update: ({ params, payload }: Request<"update">) =>
      credentialAttributesOf(payload.credential).pipe(
        Effect.flatMap((changes) => credentials.update(params.credential_id, changes)),
        Effect.flatMap(credentialBody),
        Effect.catchTags({ CredentialNotFound, HashingBusy, RealmNotFound, Rejected })
      ),
    verify: ({ params, payload }: Request<"verify">) =>
      credentials.verify(params.credential_id, presence(payload.credential.code ?? null)).pipe(
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
