import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "#api/Api"
import { TokenBody } from "#api/login/Fields"
import { SessionBody } from "#api/sessions/V2"
import { EmailVerifications } from "#core/login/EmailVerifications"
import { MfaLogins } from "#core/login/MfaLogins"
import { PasswordLogins } from "#core/login/PasswordLogins"
import { PasswordResets } from "#core/login/PasswordResets"
import { PasswordUpdates } from "#core/login/PasswordUpdates"
import { Users } from "#core/users/Users"
import { UserUpdates } from "#core/users/UserUpdates"
import { isId } from "#domain/Ids"
import type { LoginOutcome } from "#domain/Login"
import { wireErrors } from "../Errors.ts"
import { passwordOf } from "../provisioning/NewCredentials.ts"
import { attributesOf } from "../provisioning/NewUsers.ts"
import { sessionBody } from "../sessions/BodiesV2.ts"
import { userBody } from "../users/BodiesV2.ts"
import { jsonResponse } from "../WireMapping.ts"

const scope = { memberships: false, orgId: undefined }

const tokenBody = (token: string): typeof TokenBody.Type => ({ object: "token", token })

const outcomeBody = (outcome: LoginOutcome) =>
  outcome._tag === "LoggedIn"
    ? jsonResponse(SessionBody, sessionBody(outcome.login, false))
    : jsonResponse(TokenBody, tokenBody(outcome.token))

/** `/v2/users/…`: logins, and what proves and changes identities. */
export const LoginsHandlersV2 = HttpApiBuilder.group(
  Api,
  "v2.logins",
  Effect.fn(function* (handlers) {
    const users = yield* Users
    const userUpdates = yield* UserUpdates
    const passwordLogins = yield* PasswordLogins
    const mfaLogins = yield* MfaLogins
    const resets = yield* PasswordResets
    const updates = yield* PasswordUpdates
    const verifications = yield* EmailVerifications
    const { Rejected, HashingBusy, UserNotFound, UserInactive, RealmNotFound } = wireErrors
    const { WrongPassword, WrongCode, TokenNotFound, LoginsOff, Blocked, RateLimited } = wireErrors

    const read = (idOrEmail: string) => Effect.map(users.get(idOrEmail), userBody)

    return handlers.handleAll({
      authenticate: ({ params, payload }) =>
        passwordLogins
          .authenticate({
            userId: users.resolve(params.user_id),
            name: params.user_id,
            // What a person typed must not tell whether somebody has that address.
            hidesUnknown: !isId("user", params.user_id),
            password: payload.user.password ?? undefined,
            pendingKind: "tmf:",
            scope
          })
          .pipe(
            Effect.map(outcomeBody),
            Effect.catchTags({ Rejected, HashingBusy, LoginsOff, WrongPassword, Blocked, UserNotFound, RealmNotFound })
          ),
      authenticate_token: ({ payload: { user } }) =>
        mfaLogins
          .complete({ kind: "tmf:", token: user.token ?? "", code: user.code ?? "", userId: undefined, scope })
          .pipe(
            Effect.map(outcomeBody),
            Effect.catchTags({ Rejected, LoginsOff, TokenNotFound, WrongCode, Blocked, RealmNotFound }),
            Effect.catchTags({ UserNotFound: TokenNotFound })
          ),
      generate_password_token: ({ params }) =>
        Effect.gen(function* () {
          return tokenBody(yield* resets.request(yield* users.resolve(params.user_id), "tpw:"))
        }).pipe(Effect.catchTags({ UserNotFound, UserInactive, Rejected, RealmNotFound })),
      reset_password_with_token: ({ payload: { user } }) =>
        Effect.gen(function* () {
          const password = (yield* passwordOf(user)) ?? ""
          const asked = { kind: "tpw:", token: user.token ?? "", password, userId: undefined, logsIn: "tmf:" } as const
          return outcomeBody(yield* resets.resetAndLogIn(asked))
        }).pipe(Effect.catchTags({ Rejected, HashingBusy, LoginsOff, TokenNotFound, RealmNotFound })),
      request_email_verification: ({ params }) =>
        Effect.gen(function* () {
          return tokenBody(yield* verifications.request(yield* users.resolve(params.user_id), "caller"))
        }).pipe(Effect.catchTags({ UserNotFound, UserInactive, Rejected, RateLimited, RealmNotFound })),
      verify_email: ({ payload: { user } }) =>
        Effect.gen(function* () {
          return yield* read((yield* verifications.verify(user.token ?? "", undefined)).id)
        }).pipe(Effect.catchTags({ TokenNotFound, UserNotFound, Rejected, RealmNotFound })),
      update_password: ({ params, payload: { user } }) =>
        Effect.gen(function* () {
          const userId = yield* users.resolve(params.user_id)
          yield* updates.update(userId, {
            currentPassword: user.current_password ?? undefined,
            password: yield* passwordOf(user),
            keeps: user.keep_sessions ?? false
          })
          return yield* read(userId)
        }).pipe(Effect.catchTags({ UserNotFound, UserInactive, Rejected, HashingBusy, Blocked, RealmNotFound })),
      update_profile: ({ params, payload: { user } }) =>
        Effect.gen(function* () {
          const asked = { attributes: attributesOf(user), password: yield* passwordOf(user) }
          return userBody(yield* userUpdates.updateProfile(params.user_id, asked))
        }).pipe(Effect.catchTags({ UserNotFound, UserInactive, Rejected, HashingBusy, RealmNotFound }))
    })
  })
)
