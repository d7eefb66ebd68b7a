import { Effect } from "effect"
import { PasswordLoginFlow } from "#core/hosted/PasswordLoginFlow"
import { RateLimits } from "#core/limits/RateLimits"
import { EmailCodes } from "#core/login/EmailCodes"
import { Enrolments } from "#core/login/Enrolments"
import { MfaLogins } from "#core/login/MfaLogins"
import { PageOrigin } from "#domain/PageOrigin"
import { parseRecoveryCode } from "#domain/RecoveryCode"
import { type Rejected, rejection } from "#domain/Rejected"
import { firstOffer, type SecondFactor, type SecondFactorAnswer } from "#domain/SecondFactor"
import { type FormFailure, type FormRefusal, formRefusal, formRefusalOf } from "../Errors.ts"
import { type FlowParams, returnTargetOf } from "../FlowParams.ts"
import { codeIn, type FormValues } from "../Form.ts"
import { withRedirectTarget } from "../markup/Document.ts"
import { NEW_PASSKEY } from "../markup/EnrolmentView.ts"
import type { FieldErrors } from "../markup/Fields.ts"
import { mfaCodeView, type SecondStep } from "../markup/MfaCodeView.ts"
import type { TrustOffer } from "../markup/TrustField.ts"
import type { PageContext } from "../PageContext.ts"
import type { AppRequest } from "../RequestShell.ts"
import { creationIn, useIn } from "./PasskeyAnswer.ts"

const unlessRejected = <A, R>(options: Effect.Effect<A, Rejected, R>) =>
  Effect.catchTag(options, "Rejected", () => Effect.succeed(undefined))

/**
 * Returns the second step of a pending login: the factor that the visitor chose, or else the first factor that the user has,
 * or else the enrolment of one. Passkeys are only available on an app's pages.
 */
export const secondStep = Effect.gen(function* () {
  const logins = yield* MfaLogins
  const enrolments = yield* Enrolments
  return Effect.fnUntraced(function* (login: string, chosen = "") {
    const kind = login.startsWith("tmf:") ? "tmf:" : "kli_"
    const origin = yield* PageOrigin
    const all = yield* logins.offers(kind, login)
    const asks = chosen === "passkey" || (chosen === "" && all[0] === "passkey")
    const passkey =
      asks && origin !== undefined ? yield* unlessRejected(logins.passkeyOptions(kind, login, origin)) : undefined
    const isUsable = origin !== undefined && (passkey !== undefined || !asks)
    const offers = isUsable ? all : all.filter((factor) => factor !== "passkey")
    const by = offers.find((factor) => factor === chosen) ?? firstOffer(offers)
    const enrolment = yield* enrolments.findEnrolment(kind, login)
    const mayCreate = enrolment !== undefined && origin !== undefined
    const newPasskey = mayCreate ? yield* unlessRejected(enrolments.passkeyOptions(kind, login, origin)) : undefined
    const step: SecondStep = { by, offers, passkey, enrolment: enrolment && { app: enrolment, passkey: newPasskey } }
    return step
  })
})

/** The page that accepts the second factor of a login, and the parameters that its form passes on. */
export interface SecondFactorPage {
  readonly page: "login" | "signup"
  readonly flow: FlowParams
  /** Whether the user has ticked the box to trust the browser. */
  readonly trusts?: boolean
}

/** Offers to trust the browser, if the realm lets its users do so. */
export const trustOffer = ({ realm }: AppRequest["context"], isTicked = false): TrustOffer | undefined =>
  realm.trustedDevicesDays === null ? undefined : { days: realm.trustedDevicesDays, isTicked }

/** The form for the second step of a pending login, on an app's page. `chosen` is the second factor that the visitor chose. */
export const secondFactorForm = Effect.gen(function* () {
  const logins = yield* PasswordLoginFlow
  const secondStepOf = yield* secondStep
  return Effect.fnUntraced(function* (
    { app, context }: AppRequest,
    { page, flow, trusts = false }: SecondFactorPage,
    login: string,
    chosen?: string,
    errors?: FieldErrors
  ) {
    const returnUrl = yield* logins.returnUrlOf(app, returnTargetOf(flow), page === "signup")
    const trust = page === "login" ? trustOffer(context, trusts) : undefined
    const step = { ...(yield* secondStepOf(login, chosen)), page, flow, login, trust, restart: "login" }
    return withRedirectTarget(returnUrl, mfaCodeView(context, step, errors))
  })
})

/**
 * Emails the code of a pending login if the visitor chose that factor. If an emailed code can't complete the login, nothing is
 * sent, and the page asks for another factor.
 */
export const secondFactorEmail = Effect.gen(function* () {
  const codes = yield* EmailCodes
  const rateLimits = yield* RateLimits
  return (form: FormValues) =>
    form("by") === ("email_code" satisfies SecondFactor)
      ? Effect.andThen(rateLimits.takeVisitorMail, codes.sendForLogin("kli_", form("login"))).pipe(
          Effect.catchTag(["LoginsOff", "Rejected", "TokenNotFound", "UserInactive", "UserNotFound"], () => Effect.void)
        )
      : Effect.void
})

/** Reads the second factor in a form: a passkey or a code. */
export const secondFactorIn = (form: FormValues): Effect.Effect<SecondFactorAnswer, Rejected> => {
  if (form("by") === NEW_PASSKEY) {
    const creation = creationIn(form("response"))
    return creation === undefined
      ? Effect.fail(rejection(null, "passkey_invalid"))
      : Effect.succeed({ token: form("token"), creation })
  }
  if (form("by") !== ("passkey" satisfies SecondFactor)) return secondFactorCodeIn(form)
  const use = useIn(form("response"))
  return use === undefined
    ? Effect.fail(rejection(null, "passkey_invalid"))
    : Effect.succeed({ token: form("token"), use })
}

/** Reads the code in a form. A recovery code is accepted instead of any other code. */
export const secondFactorCodeIn = (form: FormValues): Effect.Effect<string, Rejected> => {
  const recoveryCode = parseRecoveryCode(form("code"))
  if (recoveryCode !== undefined) return Effect.succeed(recoveryCode)
  return form("by") === ("recovery_codes" satisfies SecondFactor)
    ? Effect.fail(rejection("code", "recovery_code_incomplete"))
    : codeIn(form)
}

/** Rejects a second step. The message for a wrong code depends on the factor. */
export const secondStepRefusal = (context: PageContext, failure: FormFailure, by: SecondFactor): FormRefusal => {
  if (failure._tag === "WrongCode") return formRefusal(context.texts.secondStep[by].wrong, "code")
  const isLapsed = failure._tag === "Rejected" && failure.problems.some(({ code }) => code === "token_unusable")
  return isLapsed ? formRefusal(context.texts.passkeys.lapsed) : formRefusalOf(context, failure)
}
