import { Effect } from "effect"
import { Api } from "#api/Api"
import { PasskeyEnrolments } from "#core/credentials/PasskeyEnrolments"
import { CodeLogins } from "#core/login/CodeLogins"
import { EmailCodes } from "#core/login/EmailCodes"
import { EmailVerifications } from "#core/login/EmailVerifications"
import { KeyLogins } from "#core/login/KeyLogins"
import { PasskeyLogins } from "#core/login/PasskeyLogins"
import { PasswordLogins } from "#core/login/PasswordLogins"
import { PasswordResets } from "#core/login/PasswordResets"
import { PasswordUpdates } from "#core/login/PasswordUpdates"
import { Users } from "#core/users/Users"
import type { UserId } from "#domain/Ids"
import { withKnownProblems } from "#domain/KnownProblems"
import type { LoginOutcome } from "#domain/Login"
import { parseIdOrUsername } from "#domain/LoginName"
import type { Realm } from "#domain/Realm"
import { type Problem, problem } from "#domain/Rejected"
import type { User } from "#domain/User"
import { loginOptionsBody, loginTokenIn, optionsBody, originIn, presentedIn } from "../credentials/PasskeyRequests.ts"
import { wireErrorsV1 } from "../Errors.ts"
import { passwordOf } from "../provisioning/NewCredentials.ts"
import { handlerGroup } from "../RequestServices.ts"
import { userBody } from "../users/BodiesV1.ts"
import { loginBody, userOf } from "./BodiesV1.ts"
import { scopeOf } from "./Requests.ts"

/** The path parameter that refers to the user of the token (C15). */
const OF_THE_TOKEN = "--"

/** `/v1/users/…`: logins, password changes and email verification. */
export const LoginsHandlersV1 = handlerGroup(
  Api,
  "v1.logins",
  Effect.fn(function* (handlers) {
    const users = yield* Users
    const passwordLogins = yield* PasswordLogins
    const codeLogins = yield* CodeLogins
    const emailCodes = yield* EmailCodes
    const passkeyLogins = yield* PasskeyLogins
    const enrolments = yield* PasskeyEnrolments
    const keyLogins = yield* KeyLogins
    const resets = yield* PasswordResets
    const updates = yield* PasswordUpdates
    const verifications = yield* EmailVerifications
    const { Rejected, HashingBusy, UserNotFound, UserInactive, RealmNotFound, ApiKeyUnknown } = wireErrorsV1
    const { WrongPassword, WrongCode, TokenNotFound, LoginTokenNotFound, LoginsOff, Blocked, RateLimited } =
      wireErrorsV1
    const { PasskeyRefused } = wireErrorsV1

    const read = Effect.fnUntraced(function* (id: UserId) {
      const details = yield* users.get(id)
      return userBody(details, yield* users.apiKeyOf(details.user))
    })

    const respond = (outcome: LoginOutcome, expanded: boolean) =>
      Effect.map(read(userOf(outcome).id), (body) => loginBody(outcome, body, expanded))

    /** Returns the ID of the user named in the path. That user must exist, even if the request also contains a token. */
    const resolveUser = Effect.fnUntraced(function* (idOrName: string) {
      return (yield* users.get(yield* users.idOfName(idOrName))).user.id
    })

    const resolveUserOrToken = (idOrName: string) =>
      idOrName === OF_THE_TOKEN ? Effect.succeed(undefined) : resolveUser(idOrName)

    return handlers.handleAll({
      authenticate: ({ params, query, payload }) =>
        Effect.gen(function* () {
          const scope = scopeOf(query, payload)
          const password = payload.password ?? payload.user?.password ?? undefined
          const name = params.user_id
          const loginNameIn = (realm: Realm) => parseIdOrUsername(realm, name)
          const request = { loginNameIn, name, hidesUnknown: false, password, pendingKind: "kli_", scope } as const
          return yield* respond(yield* passwordLogins.authenticate(request), scope.memberships)
        }).pipe(
          Effect.catchTags({ Rejected, HashingBusy, LoginsOff, WrongPassword, Blocked, UserNotFound, RealmNotFound })
        ),
      authenticate_code: ({ params, query, payload }) =>
        Effect.gen(function* () {
          const scope = scopeOf(query, payload)
          const { token, code } = payload.user
          const userId = yield* resolveUser(params.user_id)
          const request = { kind: "kli_", token: token ?? "", code: code ?? "", userId, scope } as const
          return yield* respond(yield* codeLogins.complete(request), scope.memberships)
        }).pipe(
          Effect.catchTags({ Rejected, LoginsOff, WrongCode, Blocked, UserNotFound, RealmNotFound }),
          Effect.catchTags({ TokenNotFound: LoginTokenNotFound })
        ),
      authenticate_key: ({ query, payload }) =>
        Effect.gen(function* () {
          const scope = scopeOf(query, payload)
          const login = yield* keyLogins.authenticate(payload.api_key ?? "", scope)
          return yield* respond({ _tag: "LoggedIn", login, returnUrl: null }, scope.memberships)
        }).pipe(Effect.catchTags({ Rejected, LoginsOff, ApiKeyUnknown, UserNotFound: ApiKeyUnknown, RealmNotFound })),
      passkey_options: ({ params, payload: { user } }) =>
        Effect.gen(function* () {
          const found = yield* users.get(yield* users.idOfName(params.user_id))
          return optionsBody(yield* enrolments.options(found.user, originIn(user)))
        }).pipe(Effect.catchTags({ Rejected, UserNotFound })),
      passkey_login_options: ({ payload: { user } }) =>
        passkeyLogins
          .options(originIn(user), { kind: "kli_", token: loginTokenIn(user?.token) })
          .pipe(Effect.map(loginOptionsBody), Effect.catchTags({ Rejected, LoginsOff, TokenNotFound })),
      authenticate_passkey: ({ query, payload }) =>
        Effect.gen(function* () {
          const scope = scopeOf(query, payload)
          const { token, response, login_token } = payload.user
          const answer = { token: token ?? "", presented: presentedIn(response), waiting: loginTokenIn(login_token) }
          const outcome = yield* passkeyLogins.present({ ...answer, pendingKind: "kli_", scope })
          return yield* respond(outcome, scope.memberships)
        }).pipe(
          Effect.catchTags({ Rejected, LoginsOff, PasskeyRefused, WrongCode, Blocked, UserNotFound, RealmNotFound }),
          Effect.catchTags({ TokenNotFound })
        ),
      update_password: ({ params, payload: { user } }) =>
        Effect.gen(function* () {
          const userId = yield* users.idOfName(params.user_id)
          const problems: Array<Problem> = []
          if (user.password_confirmation == null) problems.push(problem("password_confirmation", "blank"))
          const update = {
            currentPassword: user.current_password ?? undefined,
            password: passwordOf(user, problems),
            keptSessions: undefined
          }
          yield* withKnownProblems(problems, updates.update(userId, update))
        }).pipe(Effect.catchTags({ UserNotFound, UserInactive, Rejected, HashingBusy, Blocked, RealmNotFound })),
      send_code: ({ params, payload }) =>
        Effect.gen(function* () {
          const token = payload.user?.token ?? undefined
          const pending = token === undefined ? undefined : { kind: "kli_" as const, token }
          const userId = yield* users.idOfName(params.user_id)
          return { object: "token" as const, token: yield* emailCodes.send(userId, { pending }) }
        }).pipe(
          Effect.catchTags({ UserNotFound, UserInactive, Rejected, LoginsOff, RateLimited, RealmNotFound }),
          Effect.catchTags({ TokenNotFound: LoginTokenNotFound })
        ),
      generate_password_token: ({ params }) =>
        Effect.gen(function* () {
          const userId = yield* users.idOfName(params.user_id)
          const token = yield* resets.request(userId, "kpw_", "caller")
          return { ...(yield* read(userId)), password_reset_token: token }
        }).pipe(Effect.catchTags({ UserNotFound, UserInactive, Rejected, RealmNotFound })),
      reset_password_with_token: ({ params, payload: { user } }) =>
        Effect.gen(function* () {
          const userId = yield* resolveUserOrToken(params.user_id)
          const problems: Array<Problem> = []
          const password = passwordOf(user, problems) ?? ""
          const request = { kind: "kpw_", token: user.token ?? "", password, userId, logsIn: undefined } as const
          const { id }: User = yield* withKnownProblems(problems, resets.reset(request))
          return yield* read(id)
        }).pipe(Effect.catchTags({ UserNotFound, Rejected, HashingBusy, LoginsOff, TokenNotFound, RealmNotFound })),
      request_email_verification: ({ params }) =>
        Effect.gen(function* () {
          const userId = yield* users.idOfName(params.user_id)
          const token = yield* verifications.request(userId, "caller")
          return { ...(yield* read(userId)), token }
        }).pipe(Effect.catchTags({ UserNotFound, UserInactive, Rejected, RateLimited, RealmNotFound })),
      verify_email: ({ params, payload: { user } }) =>
        Effect.gen(function* () {
          const userId = yield* resolveUserOrToken(params.user_id)
          const { id }: User = yield* verifications.verify(user.token ?? "", userId)
          return yield* read(id)
        }).pipe(Effect.catchTags({ UserNotFound, TokenNotFound, Rejected, RealmNotFound }))
    })
  })
)
