import type { Enrolment } from "#domain/Login"
import type { Realm } from "#domain/Realm"
import type { User } from "#domain/User"
import { provisioningSvg, provisioningUri } from "./Totp.ts"

/** How an authenticator app is set up with a secret. */
export const enrolmentOf = (secret: string, realm: Realm, user: User): Enrolment => {
  const uri = provisioningUri(secret, realm.name, user.email ?? user.username ?? user.name)
  return { secret, uri, svg: provisioningSvg(uri) }
}
