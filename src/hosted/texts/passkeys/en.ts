import { type Html, html } from "#platform/Html"

/** The English texts about passkeys. */
export const passkeys = {
  login: "Log in with a passkey",
  unusable: "This browser can't use a passkey.",
  /** Messages by the name of the browser's error. The browser doesn't reveal whether the user canceled or has no passkey. */
  useErrors: {
    NotAllowedError: "No passkey was used. If this device has none for your account, log in another way.",
    SecurityError: "Passkeys don't work at this address. Log in another way.",
    other: "That didn't work. Try again, or log in another way."
  },
  createErrors: {
    NotAllowedError: "No passkey was created. Try again.",
    InvalidStateError: "This device already has a passkey for your account. Use it the next time you log in.",
    NotSupportedError: "This device can't create a passkey. Try another device.",
    ConstraintError: "This device can't create a passkey. Set up a screen lock on it, or try another device.",
    SecurityError: "Passkeys don't work at this address.",
    other: "That didn't work. Try again."
  },
  unknown: "This passkey doesn't work here. It may have been removed from your account. Log in another way.",
  lapsed: "This took too long. Try again.",
  offer: "Log in faster next time",
  add: "Add a passkey",
  lead: "With a passkey, you log in with your fingerprint, face or screen lock. There's nothing to remember, and a fake website can't steal it.",
  unavailable: "This browser can't create a passkey. Try another browser or device.",
  name: "Name",
  nameHint: "So that you recognize it, such as “My laptop”.",
  create: "Create a passkey",
  skip: "Not now",
  cancel: "Cancel",
  title: "Passkeys",
  titleLead: "Log in with your fingerprint, face or screen lock instead of your password.",
  unnamed: "Passkey",
  added: (date: Html): Html => html`Added ${date}`,
  used: (date: Html): Html => html`Last used ${date}`,
  unused: "Not used yet",
  synced: "Synced across your devices",
  onlyOn: (domain: string): string => `Works only on ${domain}`,
  change: "Change",
  renameButton: "Save",
  removeButton: (name: string): string => `Remove ${name}`,
  /** The label for a passkey without a name. */
  removeUnnamed: "Remove passkey"
}
