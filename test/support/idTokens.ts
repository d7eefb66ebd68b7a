import { SignJWT } from "jose"
import type { GivenRealm } from "#testing/Given"
import { newKey } from "./jwtKeys.ts"
import { rsaPairOf } from "./rsaKeys.ts"

/** Gives a realm an RS256 key that the test also has, so that the test can sign the realm's tokens. */
export const signingAs = async (realm: GivenRealm) => {
  const { privateKey } = rsaPairOf(0)
  const { id: kid } = await newKey(realm, { algo: "rs256", key: privateKey.export({ type: "pkcs8", format: "pem" }) })
  return (claims: Readonly<Record<string, unknown>>, header: Readonly<Record<string, unknown>> = {}): Promise<string> =>
    new SignJWT({ iss: `https://id.example.test/realms/${realm.id}`, ...claims })
      .setProtectedHeader({ alg: "RS256", kid, typ: "JWT", ...header })
      .sign(privateKey)
}

export type Sign = Awaited<ReturnType<typeof signingAs>>
