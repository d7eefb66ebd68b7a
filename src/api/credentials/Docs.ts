import { documentGroup } from "../GroupDocs.ts"
import { user } from "../memberships/Samples.ts"
import { CredentialsV1, CredentialsV2 } from "./Endpoints.ts"

/** A sample password in a user's credentials. */
export const credential = {
  id: "crd_01m7y8xykt2m2pvyd8ge93h5k7",
  object: "credential",
  credential_type: "password"
} as const

const device = {
  ...credential,
  credential_type: "totp",
  user_id: user.id,
  auth_provider_id: "ap_01m7y8xydm6f0rt4v1q9c3n8ha",
  name: "Jo's phone",
  state: "new",
  otp_secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
  provisioning_uri:
    "otpauth://totp/Acme:jo%40example.com?issuer=Acme&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30",
  provisioning_svg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 430 430">…</svg>'
} as const

const verifiedDevice = {
  ...credential,
  credential_type: "totp",
  user_id: user.id,
  auth_provider_id: device.auth_provider_id,
  name: device.name,
  state: "active"
} as const

const about =
  "The credentials that users log in with: passwords, authenticator apps, API keys and profiles at providers."

const endpoints = {
  get: {
    summary: "Get a credential",
    description: "Includes the members of the credential's type and, for keys of level `write` and above, its secrets.",
    response: verifiedDevice
  },
  create: {
    summary: "Create a credential",
    description:
      "API keys are for API users; all other types are for human users. If the API key is missing or `generate`, a key is generated and shown only once. A TOTP device is `new` at first, and is used in logins once it has been verified. Event: `user.updated`.",
    request: { credential: { user_id: user.id, credential_type: "totp", name: "Jo's phone" } },
    response: device
  },
  update: {
    summary: "Update a credential",
    description:
      "Changes only the members you send, if they apply to the credential's type. A new password ends the user's sessions; a new API key is shown only once. Events: `user.updated`, except when only a provider's token changes; `session.deleted` for each session.",
    request: { credential: { name: "Jo's old phone" } },
    response: verifiedDevice
  },
  verify: {
    summary: "Verify a TOTP device",
    description:
      "Checks a code, which can't be used again. A `new` device becomes `active`. Event, if the device's state changes: `user.updated`.",
    request: { credential: { code: "123456" } },
    response: verifiedDevice
  },
  delete: { summary: "Delete a credential", description: "Does not end the user's sessions. Event: `user.updated`." }
} as const

export const credentialsV1 = documentGroup(CredentialsV1, about, endpoints)

export const credentialsV2 = documentGroup(CredentialsV2, about, endpoints)
