import { Schema } from "effect"
import { attestations, MAX_PASSKEY_ID_LENGTH, userVerifications } from "#domain/Passkey"
import { FOREIGN } from "../BodyShape.ts"
import { describe, objectType } from "../Description.ts"
import { List, maybe, Text } from "../Wire.ts"

const BASE64URL = /^[A-Za-z0-9_-]+$/

/** Bytes in base64url without padding, as sent by browsers. */
const bytes = (most: number, description: string) =>
  describe(
    Text(most).check(Schema.isPattern(BASE64URL, { problem: { code: "not_base64url" } })),
    `${description} In base64url.`
  )

const credentialId = bytes(MAX_PASSKEY_ID_LENGTH, "The WebAuthn credential ID.")

const clientDataJSON = bytes(16_384, "The browser's data about the ceremony: challenge, origin and type.")

/** The value of `PublicKeyCredential.toJSON()` after a passkey was created. Other members are ignored. */
export const CreationResponse = Schema.Struct({
  id: credentialId,
  response: describe(
    Schema.Struct({
      clientDataJSON,
      attestationObject: bytes(65_536, "The new public key, with data about the authenticator."),
      transports: describe(
        maybe(List(Text())),
        "The transports by which the authenticator can be reached. Default: unknown."
      )
    }).annotate({ problem: { code: "not_object" }, [FOREIGN]: true }),
    "The authenticator's response."
  )
}).annotate({ problem: { code: "not_object" }, [FOREIGN]: true, identifier: "PasskeyCreationResponse" })

/** The value of `PublicKeyCredential.toJSON()` after a passkey was used. Other members are ignored. */
export const LoginResponse = Schema.Struct({
  id: credentialId,
  response: describe(
    Schema.Struct({
      clientDataJSON,
      authenticatorData: bytes(
        16_384,
        "The authenticator's data: the domain, whether it verified the user, and its counter."
      ),
      signature: bytes(4_096, "The signature over both."),
      userHandle: describe(
        maybe(Text(128)),
        "The user that the passkey belongs to, in base64url. Missing or null only if the challenge is for one user."
      )
    }).annotate({ problem: { code: "not_object" }, [FOREIGN]: true }),
    "The authenticator's response."
  )
}).annotate({ problem: { code: "not_object" }, [FOREIGN]: true, identifier: "PasskeyLoginResponse" })

const passkeyDescriptors = describe(
  Schema.Array(
    Schema.Struct({
      type: describe(Schema.Literal("public-key"), "Always `public-key`."),
      id: describe(Schema.String, "The WebAuthn credential ID, in base64url."),
      transports: describe(Schema.Array(Schema.String), "The transports by which its authenticator can be reached.")
    })
  ),
  "The user's existing passkeys."
)

/** `PublicKeyCredentialCreationOptionsJSON` (WebAuthn Level 3). */
export const CreationOptions = Schema.Struct({
  rp: describe(
    Schema.Struct({
      id: describe(Schema.String, "The domain that the passkey will belong to."),
      name: describe(Schema.String, "The name of the realm.")
    }),
    "The service that requests the passkey."
  ),
  user: describe(
    Schema.Struct({
      id: describe(Schema.String, "The user's ID, in base64url."),
      name: describe(Schema.String, "The email or, if there is none, the username."),
      displayName: describe(Schema.String, "The person's name.")
    }),
    "The user, as the authenticator lists them."
  ),
  challenge: describe(Schema.String, "The challenge for the authenticator to sign."),
  pubKeyCredParams: describe(
    Schema.Array(
      Schema.Struct({
        type: describe(Schema.Literal("public-key"), "Always `public-key`."),
        alg: describe(Schema.Finite, "The algorithm's COSE number.", { type: "integer" })
      })
    ),
    "The accepted algorithms: EdDSA (-8), ES256 (-7), RS256 (-257)."
  ),
  timeout: describe(Schema.Finite, "The time for which a response is accepted, in milliseconds.", { type: "integer" }),
  excludeCredentials: passkeyDescriptors,
  authenticatorSelection: describe(
    Schema.Struct({
      residentKey: describe(
        Schema.Literal("required"),
        "Whether the passkey can be found without a username: always `required`."
      ),
      requireResidentKey: describe(Schema.Literal(true), "Like `residentKey`, for older browsers: always true."),
      userVerification: describe(Schema.String, "Whether the authenticator must verify the user.", {
        enum: userVerifications
      })
    }),
    "The required capabilities of the authenticator."
  ),
  attestation: describe(Schema.String, "Whether the authenticator must prove its model.", { enum: attestations }),
  extensions: describe(
    Schema.Struct({
      credProps: describe(
        Schema.Literal(true),
        "Requests whether the passkey can be found without a username: always true."
      )
    }),
    "WebAuthn extensions."
  )
}).annotate({ identifier: "PasskeyCreationOptions" })

/** `PublicKeyCredentialRequestOptionsJSON` (WebAuthn Level 3). */
export const RequestOptions = Schema.Struct({
  challenge: describe(Schema.String, "The challenge for the authenticator to sign."),
  timeout: describe(Schema.Finite, "The time for which a response is accepted, in milliseconds.", { type: "integer" }),
  rpId: describe(Schema.String, "The domain that the passkeys belong to."),
  allowCredentials: passkeyDescriptors,
  userVerification: describe(Schema.String, "Whether the authenticator must verify the user.", {
    enum: userVerifications
  })
}).annotate({ identifier: "PasskeyRequestOptions" })

const optionsBody = <Options extends Schema.Top>(options: Options, method: string) =>
  Schema.Struct({
    object: objectType("passkey_options"),
    token: describe(
      Schema.String,
      method === "create"
        ? "The token, which begins with `tpk:`. It is valid for 10 minutes and one accepted response. Rejected responses don't count."
        : "The token, which begins with `tpk:`. It is valid for 10 minutes and one response, even if the response is rejected."
    ),
    options: describe(
      options,
      `The argument of \`navigator.credentials.${method}()\`, after parsing by \`PublicKeyCredential.parse${method === "create" ? "Creation" : "Request"}OptionsFromJSON()\`.`
    )
  })

export const CreationOptionsBody = optionsBody(CreationOptions, "create").annotate({
  identifier: "PasskeyCreationChallenge"
})

export const RequestOptionsBody = optionsBody(RequestOptions, "get").annotate({ identifier: "PasskeyLoginChallenge" })

/** The origin of the page that requests a passkey. */
export const ceremonyOrigin = describe(
  maybe(Text(2_048)),
  "The origin of the page that requests the passkey, such as `https://app.example.com`. It must be the origin of an active connected app's login host, handler or redirect URI. Default: the login host of the realm's oldest active app."
)
