import type { CDPSession } from "playwright-core"
import type { Visitor } from "./Browser.ts"

/** An authenticator that Chromium plays: it answers for its owner, or stays silent. */
export interface PlayedAuthenticator {
  /** Whether somebody is there to confirm: each request is answered at once then, and else waits. */
  setPresence(enabled: boolean): Promise<void>
  /** Whether it recognizes who is there. */
  setVerified(verified: boolean): Promise<void>
  /** How many passkeys it keeps. */
  count(): Promise<number>
  remove(): Promise<void>
}

const attached = new WeakSet<CDPSession>()

/** Gives the device of a visitor an authenticator of its own; or, with `usb`, a key to plug in. */
export const authenticator = async (
  { devtools }: Visitor,
  transport: "internal" | "usb" = "internal"
): Promise<PlayedAuthenticator> => {
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
