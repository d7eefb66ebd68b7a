import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "#api/Api"
import { EmailVerifications } from "#core/login/EmailVerifications"
import { KeyLogins } from "#core/login/KeyLogins"
import { MfaLogins } from "#core/login/MfaLogins"
import { PasswordLogins } from "#core/login/PasswordLogins"
import { PasswordResets } from "#core/login/PasswordResets"
import { PasswordUpdates } from "#core/login/PasswordUpdates"
import { Users } from "#core/users/Users"
import type { UserId } from "#domain/Ids"
import type { LoginOutcome } from "#domain/Login"
import { rejected } from "#domain/Rejected"
import type { User } from "#domain/User"
import { wireErrorsV1 } from "../Errors.ts"
import { membershipBody } from "../memberships/BodiesV1.ts"
import { passwordOf } from "../provisioning/NewCredentials.ts"
import { userBody } from "../users/BodiesV1.ts"
import { expands } from "../WireMapping.ts"

interface Expanding {
  readonly expand?: string | ReadonlyArray<string>
}

/** In a path: the user is the one of the token (decision 15). */
const OF_THE_TOKEN = "--"

/** `/v1/users/…`: logins, and what proves and changes identities. */
export const LoginsHandlersV1 = HttpApiBuilder.group(
  Api,
  "v1.logins",
  Effect.fn(function* (handlers) {
    const users = yield* Users
    const passwordLogins = yield* PasswordLogins
    const mfaLogins = yield* MfaLogins
    const keyLogins = yield* KeyLogins
    const resets = yield* PasswordResets
    const updates = yield* PasswordUpdates
    const verifications = yield* EmailVerifications
    const { Rejected, HashingBusy, UserNotFound, UserInactive, RealmNotFound, ApiKeyUnknown } = wireErrorsV1
    const { WrongPassword, WrongCode, TokenNotFound, LoginTokenNotFound, LoginsOff, Blocked, RateLimited } =
      wireErrorsV1

    const read = Effect.fnUntraced(function* (id: UserId) {
      const details = yield* users.get(id)
      return userBody(details, yield* users.apiKeyOf(details.user))
    })

    const scopeOf = (query: Expanding, payload: Expanding) => ({
      memberships: expands(query, "memberships") || expands(payload, "memberships"),
      orgId: undefined
    })

    /** A user with the token of the login, and its memberships where they are wanted. */
    const loggedIn = Effect.fnUntraced(function* (outcome: LoginOutcome, expanded: boolean) {
      const { user, token } = outcome._tag === "LoggedIn" ? { ...outcome.login } : outcome
      const memberships = outcome._tag === "LoggedIn" ? outcome.login.memberships : []
      const body = yield* read(user.id)
      return { ...body, token, ...(expanded ? { memberships: memberships.map(membershipBody) } : {}) }
    })

    /** The user that a path names beside a token: one that is there, whatever the token says. */
    const named = Effect.fnUntraced(function* (idOrName: string) {
      return (yield* users.get(yield* users.idOfName(idOrName))).user.id
    })

    const namedOrOfToken = (idOrName: string) =>
      idOrName === OF_THE_TOKEN ? Effect.succeed(undefined) : named(idOrName)

    return handlers.handleAll({
      authenticate: ({ params, query, payload }) =>
        Effect.gen(function* () {
          const scope = scopeOf(query, payload)
          const password = payload.password ?? payload.user?.password ?? undefined
          const userId = users.idOfName(params.user_id)
          const name = params.user_id
          const asked = { userId, name, hidesUnknown: false, password, pendingKind: "kli_", scope } as const
          return yield* loggedIn(yield* passwordLogins.authenticate(asked), scope.memberships)
        }).pipe(
          Effect.catchTags({ Rejected, HashingBusy, LoginsOff, WrongPassword, Blocked, UserNotFound, RealmNotFound })
        ),
      authenticate_code: ({ params, query, payload }) =>
        Effect.gen(function* () {
          const scope = scopeOf(query, payload)
          const { token, code } = payload.user
          const userId = yield* named(params.user_id)
          const asked = { kind: "kli_", token: token ?? "", code: code ?? "", userId, scope } as const
          return yield* loggedIn(yield* mfaLogins.complete(asked), scope.memberships)
        }).pipe(
          Effect.catchTags({ Rejected, LoginsOff, WrongCode, Blocked, UserNotFound, RealmNotFound }),
          Effect.catchTags({ TokenNotFound: LoginTokenNotFound })
        ),
      authenticate_key: ({ query, payload }) =>
        Effect.gen(function* () {
          const scope = scopeOf(query, payload)
          const login = yield* keyLogins.authenticate(payload.api_key ?? "", scope)
          return yield* loggedIn({ _tag: "LoggedIn", login }, scope.memberships)
        }).pipe(Effect.catchTags({ Rejected, LoginsOff, ApiKeyUnknown, UserNotFound: ApiKeyUnknown, RealmNotFound })),
      update_password: ({ params, payload: { user } }) =>
        Effect.gen(function* () {
          const userId = yield* users.idOfName(params.user_id)
          if (user.password_confirmation == null) return yield* rejected("password_confirmation", "blank")
          yield* updates.update(userId, {
            currentPassword: user.current_password ?? undefined,
            password: yield* passwordOf(user),
            keeps: false
          })
        }).pipe(Effect.catchTags({ UserNotFound, UserInactive, Rejected, HashingBusy, Blocked, RealmNotFound })),
      generate_password_token: ({ params }) =>
        Effect.gen(function* () {
          const userId = yield* users.idOfName(params.user_id)
          const token = yield* resets.request(userId, "kpw_")
          return { ...(yield* read(userId)), password_reset_token: token }
        }).pipe(Effect.catchTags({ UserNotFound, UserInactive, Rejected, RealmNotFound })),
      reset_password_with_token: ({ params, payload: { user } }) =>
        Effect.gen(function* () {
          const userId = yield* namedOrOfToken(params.user_id)
          const password = (yield* passwordOf(user)) ?? ""
          const asked = { kind: "kpw_", token: user.token ?? "", password, userId, logsIn: undefined } as const
          const { id }: User = yield* resets.reset(asked)
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
          const userId = yield* namedOrOfToken(params.user_id)
          const { id }: User = yield* verifications.verify(user.token ?? "", userId)
          return yield* read(id)
        }).pipe(Effect.catchTags({ UserNotFound, TokenNotFound, Rejected, RealmNotFound }))
    })
  })
)
