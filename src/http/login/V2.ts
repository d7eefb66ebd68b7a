import { Effect } from "effect"
import { Api } from "#api/Api"
import { PasskeyEnrolments } from "#core/credentials/PasskeyEnrolments"
import { CodeLogins } from "#core/login/CodeLogins"
import { EmailCodes } from "#core/login/EmailCodes"
import { EmailVerifications } from "#core/login/EmailVerifications"
import { OperatorMails } from "#core/login/OperatorMails"
import { PasskeyLogins } from "#core/login/PasskeyLogins"
import { PasswordLogins } from "#core/login/PasswordLogins"
import { PasswordResets } from "#core/login/PasswordResets"
import { PasswordUpdates } from "#core/login/PasswordUpdates"
import { Users } from "#core/users/Users"
import { UserUpdates } from "#core/users/UserUpdates"
import { isId } from "#domain/Ids"
import { withKnownProblems } from "#domain/KnownProblems"
import { parseIdOrEmail } from "#domain/LoginName"
import type { Problem } from "#domain/Rejected"
import { loginOptionsBody, loginTokenIn, optionsBody, originIn, presentedIn } from "../credentials/PasskeyRequests.ts"
import { wireErrors } from "../Errors.ts"
import { passwordOf } from "../provisioning/NewCredentials.ts"
import { userAttributesOf } from "../provisioning/NewUsers.ts"
import { handlerGroup } from "../RequestServices.ts"
import { userBody } from "../users/BodiesV2.ts"
import { loginResponse, sentMailBody, tokenBody } from "./BodiesV2.ts"

const scope = { memberships: false, orgId: undefined }

/** `/v2/users/…`: logins, password and profile changes, and email verification. */
export const LoginsHandlersV2 = handlerGroup(
  Api,
  "v2.logins",
  Effect.fn(function* (handlers) {
    const users = yield* Users
    const userUpdates = yield* UserUpdates
    const passwordLogins = yield* PasswordLogins
    const codeLogins = yield* CodeLogins
    const emailCodes = yield* EmailCodes
    const passkeyLogins = yield* PasskeyLogins
    const enrolments = yield* PasskeyEnrolments
    const resets = yield* PasswordResets
    const updates = yield* PasswordUpdates
    const verifications = yield* EmailVerifications
    const mails = yield* OperatorMails
    const { Rejected, HashingBusy, UserNotFound, UserInactive, RealmNotFound } = wireErrors
    const { WrongPassword, WrongCode, TokenNotFound, LoginsOff, Blocked, RateLimited, PasskeyRefused } = wireErrors

    const read = (idOrEmail: string) => Effect.map(users.get(idOrEmail), userBody)

    return handlers.handleAll({
      authenticate: ({ params, payload }) =>
        passwordLogins
          .authenticate({
            loginNameIn: () => parseIdOrEmail(params.user_id),
            name: params.user_id,
            // A visitor may have typed the address, so the response must not reveal whether a user has it.
            hidesUnknown: !isId("user", params.user_id),
            password: payload.user.password ?? undefined,
            pendingKind: "tmf:",
            scope
          })
          .pipe(
            Effect.map((outcome) => loginResponse(outcome, 200)),
            Effect.catchTags({ Rejected, HashingBusy, LoginsOff, WrongPassword, Blocked, UserNotFound, RealmNotFound })
          ),
      authenticate_token: ({ payload: { user } }) =>
        codeLogins
          .complete({ kind: "tmf:", token: user.token ?? "", code: user.code ?? "", userId: undefined, scope })
          .pipe(
            Effect.map((outcome) => loginResponse(outcome, 200)),
            Effect.catchTags({ Rejected, LoginsOff, TokenNotFound, WrongCode, Blocked, RealmNotFound }),
            Effect.catchTags({ UserNotFound: TokenNotFound })
          ),
      passkey_options: ({ params, payload: { user } }) =>
        Effect.gen(function* () {
          const found = yield* users.get(yield* users.resolve(params.user_id))
          return optionsBody(yield* enrolments.options(found.user, originIn(user)))
        }).pipe(Effect.catchTags({ Rejected, UserNotFound })),
      passkey_login_options: ({ payload: { user } }) =>
        passkeyLogins
          .options(originIn(user), { kind: "tmf:", token: loginTokenIn(user?.token) })
          .pipe(Effect.map(loginOptionsBody), Effect.catchTags({ Rejected, LoginsOff, TokenNotFound })),
      authenticate_passkey: ({ payload: { user } }) =>
        passkeyLogins
          .present({
            token: user.token ?? "",
            presented: presentedIn(user.response),
            waiting: loginTokenIn(user.login_token),
            pendingKind: "tmf:",
            scope
          })
          .pipe(
            Effect.map((outcome) => loginResponse(outcome, 200)),
            Effect.catchTags({ Rejected, LoginsOff, TokenNotFound, PasskeyRefused, WrongCode, Blocked, RealmNotFound }),
            Effect.catchTags({ UserNotFound: TokenNotFound })
          ),
      send_code: ({ params, payload }) =>
        Effect.gen(function* () {
          const token = payload.user?.token ?? undefined
          const pending = token === undefined ? undefined : { kind: "tmf:" as const, token }
          return tokenBody(yield* emailCodes.send(yield* users.resolve(params.user_id), { pending }))
        }).pipe(
          Effect.catchTags({
            UserNotFound,
            UserInactive,
            Rejected,
            LoginsOff,
            TokenNotFound,
            RateLimited,
            RealmNotFound
          })
        ),
      generate_password_token: ({ params }) =>
        Effect.gen(function* () {
          return tokenBody(yield* resets.request(yield* users.resolve(params.user_id), "tpw:", "caller"))
        }).pipe(Effect.catchTags({ UserNotFound, UserInactive, Rejected, RealmNotFound })),
      send_password_reset: ({ params }) =>
        Effect.gen(function* () {
          return sentMailBody(yield* mails.sendPasswordReset(yield* users.resolve(params.user_id)))
        }).pipe(Effect.catchTags({ UserNotFound, UserInactive, Rejected, LoginsOff, RateLimited, RealmNotFound })),
      send_email_verification: ({ params }) =>
        Effect.gen(function* () {
          return sentMailBody(yield* mails.sendVerification(yield* users.resolve(params.user_id)))
        }).pipe(Effect.catchTags({ UserNotFound, UserInactive, Rejected, RateLimited, RealmNotFound })),
      reset_password_with_token: ({ payload: { user } }) =>
        Effect.gen(function* () {
          const problems: Array<Problem> = []
          const password = passwordOf(user, problems) ?? ""
          const request = {
            kind: "tpw:",
            token: user.token ?? "",
            password,
            userId: undefined,
            logsIn: "tmf:"
          } as const
          return loginResponse(yield* withKnownProblems(problems, resets.resetAndLogIn(request)), 200)
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
          const problems: Array<Problem> = []
          const update = {
            currentPassword: user.current_password ?? undefined,
            password: passwordOf(user, problems),
            keptSessions: user.keep_sessions === true ? ("all" as const) : undefined
          }
          yield* withKnownProblems(problems, updates.update(userId, update))
          return yield* read(userId)
        }).pipe(Effect.catchTags({ UserNotFound, UserInactive, Rejected, HashingBusy, Blocked, RealmNotFound })),
      update_profile: ({ params, payload: { user } }) =>
        Effect.gen(function* () {
          const problems: Array<Problem> = []
          const request = { attributes: userAttributesOf(user), password: passwordOf(user, problems) }
          return userBody(yield* withKnownProblems(problems, userUpdates.updateProfile(params.user_id, request)))
        }).pipe(Effect.catchTags({ UserNotFound, UserInactive, Rejected, HashingBusy, RealmNotFound }))
    })
  })
)
