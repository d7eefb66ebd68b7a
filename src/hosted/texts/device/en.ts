import { type Html, html } from "#platform/Html"

/** The English texts of the device page. */
export const device = {
  title: "Connect a device",
  lead: "Enter the code that your device or program shows.",
  code: "Code",
  codeHint: "Eight letters. Capital letters and the hyphen don't matter.",
  prefilledLead: "Check that your device or program shows this code.",
  button: "Continue",
  wrong: "This code is incorrect or has expired. Check it, or get a new one on your device.",
  consentTitle: "Allow access to your account?",
  consentLead: (client: Html, account: Html): Html => html`${client} wants access as ${account}.`,
  sameCode: (code: Html): Html => html`It should show this code: ${code}`,
  originTitle: "Where this request comes from",
  program: "Program",
  address: "IP address",
  time: "Time",
  unknown: "Unknown",
  warningTitle: "Did you start this yourself?",
  warning:
    "Only allow this if you did, on a device that you're using now. If someone sent you this code or a link by email, chat or phone, they're trying to get into your account: choose Don't allow.",
  allow: "Allow",
  deny: "Don't allow",
  allowedTitle: "Your device is connected",
  allowedLead: "Go back to your device. It will continue in a few seconds. You can close this page.",
  deniedTitle: "Access not allowed",
  deniedLead: "The device can't access your account. You can close this page.",
  other: "Connect another device"
}
