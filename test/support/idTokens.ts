import { importPKCS8, SignJWT } from "jose"
import type { GivenRealm } from "#testing/Given"
import { newKey, rsaPair } from "./jwtKeys.ts"

let pair: ReturnType<typeof rsaPair> | undefined

/** Gives a realm an RS256 key that the test has, too: whatever the realm signs, the test can sign. */
export const signingAs = async (realm: GivenRealm) => {
  pair ??= rsaPair()
  const { id: kid } = await newKey(realm, { algo: "rs256", key: pair.pkcs8 })
  const key = await importPKCS8(pair.pkcs8, "RS256")
  return (claims: Readonly<Record<string, unknown>>, header: Readonly<Record<string, unknown>> = {}): Promise<string> =>
    new SignJWT({ iss: `https://id.example.test/realms/${realm.id}`, ...claims })
      .setProtectedHeader({ alg: "RS256", kid, typ: "JWT", ...header })
      .sign(key)
}

export type Sign = Awaited<ReturnType<typeof signingAs>>
