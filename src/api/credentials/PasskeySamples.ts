// Sample values for registering a passkey and logging in with it, used in the docs of several resources.

const token = "tpk:7Ck0fJvT2mXqRz4LbYp9NwHs6Ga8Du1EiKo3VtBxQyA"
const challenge = "mXqRz4LbYp9NwHs6Ga8Du1EiKo3VtBxQyA7Ck0fJvT2"
const passkeyId = "pOjbV3xHkqZbq2mWnq0sGw"
const rpId = "acme.eu.login.example.com"

export const creationOptions = {
  object: "passkey_options",
  token,
  options: {
    rp: { id: rpId, name: "Acme" },
    user: { id: "dXNyXzAxbTd5OHh5a2g1YjRmZ3A5ZzV3azVtMXhx", name: "jo@example.com", displayName: "Jo Doe" },
    challenge,
    pubKeyCredParams: [
      { type: "public-key", alg: -8 },
      { type: "public-key", alg: -7 },
      { type: "public-key", alg: -257 }
    ],
    timeout: 600_000,
    excludeCredentials: [],
    authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "preferred" },
    attestation: "none",
    extensions: { credProps: true }
  }
} as const

export const loginOptions = {
  object: "passkey_options",
  token,
  options: { challenge, timeout: 600_000, rpId, allowCredentials: [], userVerification: "preferred" }
} as const

/** A browser's response to login options, shortened. */
export const loginResponse = {
  id: passkeyId,
  response: {
    clientDataJSON: "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0",
    authenticatorData: "SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MdAAAAAQ",
    signature: "MEUCIQDrkVYbH-7PbFXNmJM-zW3jCJbTDH0GqYxV",
    userHandle: "dXNyXzAxbTd5OHh5a2g1YjRmZ3A5ZzV3azVtMXhx"
  }
} as const
