import type { AcceptedPasskeys } from "#core/account/AccountPasskeys"
import type { Passkey } from "#domain/Passkey"
import { type Html, html } from "#platform/Html"

/** Calls of WebAuthn's Signal API, by method. The script of pages with passkeys makes them where the browser supports them. */
const signals = (calls: Readonly<Record<string, object>>): Html =>
  html`<span hidden data-signals="${JSON.stringify(calls)}"></span>`

/** Removes passkeys from the user's browser that the realm no longer accepts, and updates the names of the others. */
export const acceptedSignals = ({ rpId, userId, credentialIds, name, displayName }: AcceptedPasskeys): Html =>
  signals({
    signalAllAcceptedCredentials: { rpId, userId, allAcceptedCredentialIds: credentialIds },
    signalCurrentUserDetails: { rpId, userId, name, displayName }
  })

/** Removes a passkey from the browser that the realm doesn't know. */
export const unknownSignal = ({ rpId, passkeyId }: Pick<Passkey, "rpId" | "passkeyId">): Html =>
  signals({ signalUnknownCredential: { rpId, credentialId: passkeyId } })
