import { Schema } from "effect"
import { mailDeliveries } from "#domain/SentMail"
import { currentPassword, passwordFields } from "../credentials/Fields.ts"
import { CreationResponse, ceremonyOrigin, LoginResponse } from "../credentials/Passkeys.ts"
import { describe, objectType } from "../Description.ts"
import { maybe, requestAttributes, SecretText } from "../Wire.ts"
import { retry } from "./Retry.ts"

/** A new password, and optionally its confirmation. */
export const newPassword = passwordFields

/** The password to log in with. */
export const password = currentPassword("The user's password. Required.")

/** The user's current password. */
export const oldPassword = currentPassword("The user's current password. Required.")

/** The code of a second factor. */
export const code = describe(
  maybe(SecretText),
  "The six digits that the user's authenticator app shows, a recovery code, or the six digits of an emailed code. Required."
)

/** A token previously issued by the service. */
export const tokenOf = (description: string) => describe(maybe(SecretText), `${description} Required.`)

/** The payload for getting the options to register a passkey. */
export const passkeyOptionsPayload = Schema.Struct({
  user: describe(maybe(Schema.Struct({ origin: ceremonyOrigin })), "The page that requests the passkey."),
  ...requestAttributes
})

/** The payload for getting the options to log in with a passkey. */
export const passkeyLoginOptionsPayload = Schema.Struct({
  user: describe(
    maybe(
      Schema.Struct({
        origin: ceremonyOrigin,
        token: describe(
          maybe(SecretText),
          "The token of a login that waits for a second factor. The options are then for the passkeys of its user, or for a new passkey if `retry` allows creating one. Default: the options start a login of any user."
        )
      })
    ),
    "The page that requests the passkey, and the login."
  ),
  ...requestAttributes
})

/** The authenticator's response to the login options. */
export const passkeyLogin = {
  token: tokenOf("The token returned by `passkey_options`, `tpk:…`."),
  response: describe(
    maybe(Schema.Union([LoginResponse, CreationResponse])),
    "The result of `navigator.credentials.get()`, as its `toJSON()`. For a login that sets up a passkey, the result of `create()`. Required."
  ),
  login_token: describe(
    maybe(SecretText),
    "The token of a login that waits for a second factor, to complete it with the passkey. Default: the passkey starts a login."
  )
}

/** The payload for requesting a code by email. */
export const CodeRequest = Schema.Struct({
  user: describe(
    maybe(
      Schema.Struct({
        token: describe(
          maybe(SecretText),
          "The token of a login that waits for a second factor, to complete it with the code. Default: the code starts a login."
        )
      })
    ),
    "The purpose of the code."
  ),
  ...requestAttributes
})

/** A token for a user (C14). */
export const TokenBody = Schema.Struct({
  object: objectType("token"),
  token: describe(
    Schema.String,
    "The token, which works once. `tmf:` completes a login with a code and is valid for 10 minutes. `tpw:` sets a new password and is valid for 60 minutes. `tve:` and `tue:` verify the current or a new email and are valid for 24 hours. `tec:` logs in with an emailed code and is valid for 10 minutes."
  ),
  retry
}).annotate({ identifier: "Token" })

/** An email that an operator had sent to a user (C296). */
export const SentMailBody = Schema.Struct({
  object: objectType("sent_mail"),
  email: describe(Schema.String, "The address to which the email goes."),
  delivery: describe(
    Schema.String,
    "How it gets there: through the mail server (`server`); not at all, because a test service stores it in its mailbox (`mailbox`); or by the receiver of a webhook, because the realm has no active email template for it (`webhook`).",
    { enum: mailDeliveries }
  )
}).annotate({ identifier: "SentMail" })
