import type { CDPSession } from "playwright-core"
import type { Visitor } from "./Browser.ts"

/** A virtual authenticator in Chromium that confirms requests or stays silent. */
export interface VirtualAuthenticator {
  /** Sets whether a user is present. Requests are confirmed immediately if so, and otherwise wait. */
  setPresence(enabled: boolean): Promise<void>
  /** Sets whether the authenticator verifies the user. */
  setVerified(verified: boolean): Promise<void>
  /** Returns the number of stored passkeys. */
  count(): Promise<number>
  remove(): Promise<void>
}

const attached = new WeakSet<CDPSession>()

/** Adds a built-in authenticator to a visitor's device or, with `usb`, a security key. */
export const authenticator = async (
  { devtools }: Visitor,
  transport: "internal" | "usb" = "internal"
): Promise<VirtualAuthenticator> => {
  if (!attached.has(devtools)) await devtools.send("WebAuthn.enable", { enableUI: false })
  attached.add(devtools)
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      ctap2Version: "ctap2_1",
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true
    }
  })
  return {
    setPresence: async (enabled) => {
      await devtools.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled })
    },
    setVerified: async (isUserVerified) => {
      await devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified })
    },
    count: async () => (await devtools.send("WebAuthn.getCredentials", { authenticatorId })).credentials.length,
    remove: async () => {
      await devtools.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId })
    }
  }
}
