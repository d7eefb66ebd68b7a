import { Schema } from "effect"
import type { RequiredEnrolment } from "#domain/Login"
import { describe } from "../Description.ts"

const SECOND_FACTOR_MISSING = "second_factor_missing" as const

const LoginRetry = Schema.Struct({
  reason: describe(
    Schema.Literal(SECOND_FACTOR_MISSING),
    "The reason why the login is not complete: the user has no second factor, and the realm's `mfa` requires one."
  ),
  otp_secret: describe(Schema.String, "The secret of a new authenticator app in Base32, for manual entry."),
  provisioning_uri: describe(
    Schema.String,
    "The same secret as an `otpauth:` URI for a QR code: SHA-1, six digits, 30 seconds."
  ),
  provisioning_svg: describe(Schema.String, "The QR code of that URI, as an SVG image."),
  passkeys: describe(
    Schema.Boolean,
    "Whether a passkey can be created instead of the app, on a page of one of the realm's connected apps. Start with `passkey_options` and the token of the login."
  )
}).annotate({ identifier: "LoginRetry" })

/** The second factor that a user must set up before the login can continue, in a realm that requires one (C147). */
export const retry = describe(
  Schema.optionalKey(LoginRetry),
  "Only if the user must set up a second factor first. Show the QR code to the user, and complete the login with the token and the app's first code, or with a new passkey. The factor is stored when the login completes; an abandoned login stores nothing."
)

/** The data for setting up the second factor that a login requires. */
export const retryBody = ({ secret, uri, svg, allowsPasskey }: RequiredEnrolment) => ({
  reason: SECOND_FACTOR_MISSING,
  otp_secret: secret,
  provisioning_uri: uri,
  provisioning_svg: svg,
  passkeys: allowsPasskey
})
