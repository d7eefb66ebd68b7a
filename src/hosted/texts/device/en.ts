import { type Html, html } from "#platform/Html"

/** What the page for devices says, in English. */
export const device = {
  title: "Connect a device",
  lead: "Enter the code that your device or program shows.",
  code: "Code",
  codeHint: "Eight letters. Capitals and the hyphen don't matter.",
  prefilledLead: "Check that your device or program shows this code.",
  button: "Continue",
  wrong: "This code isn't right, or has expired. Check it, or get a new one on your device.",
  consentTitle: "Allow access to your account?",
  consentLead: (client: Html, account: Html): Html => html`${client} wants access as ${account}.`,
  sameCode: (code: Html): Html => html`It must be showing this code: ${code}`,
  originTitle: "Where this request comes from",
  program: "Program",
  address: "IP address",
  time: "Time",
  unknown: "Not known",
  warningTitle: "Did you start this yourself?",
  warning:
    "Allow it only if you did, on a device that you are using now. If someone sent you this code or a link, by mail, chat or phone, they are trying to get into your account: choose Don't allow.",
  allow: "Allow",
  deny: "Don't allow",
  allowedTitle: "Your device is connected",
  allowedLead: "Go back to it. It goes on by itself within a few seconds, and you can close this page.",
  deniedTitle: "Access was not allowed",
  deniedLead: "The device gets no access to your account. You can close this page.",
  other: "Connect another device"
}
