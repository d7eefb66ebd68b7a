/** The hosted pages that can be previewed, in the order in which users see them. */
export const previewedPages = [
  "login",
  "email_code",
  "second_factor",
  "signup",
  "email_sent",
  "verify",
  "verified",
  "forgot",
  "reset",
  "passkey",
  "device",
  "accounts",
  "profile",
  "password",
  "invite",
  "logout",
  "problem"
] as const

export type PreviewedPage = (typeof previewedPages)[number]
