import type { Enrolment } from "#domain/Login"
import type { Realm } from "#domain/Realm"
import type { User } from "#domain/User"
import { provisioningSvg, provisioningUri } from "./Totp.ts"

/** Returns what is needed to set up an authenticator app: the secret, its URI and a QR code. */
export const enrolmentOf = (secret: string, realm: Realm, user: User): Enrolment => {
  const uri = provisioningUri(secret, realm.name, user.email ?? user.username ?? user.name)
  return { secret, uri, svg: provisioningSvg(uri) }
}
