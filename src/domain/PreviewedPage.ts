/** The hosted pages that can be previewed, by topic, in the order in which users see them. */
export const previewGroups = [
  {
    name: "login",
    pages: [
      "login",
      "login_failed",
      "code_request",
      "email_code",
      "code_failed",
      "second_factor",
      "recovery_code",
      "enrolment",
      "passkey",
      "provider_failed",
      "accounts",
      "continue",
      "logout",
      "logged_out"
    ]
  },
  {
    name: "signup",
    pages: ["signup", "email_sent", "verify", "verified", "invitation", "invitation_login", "invitation_accepted"]
  },
  { name: "reset", pages: ["forgot", "reset", "reset_failed", "reset_done"] },
  {
    name: "account",
    pages: [
      "profile",
      "security",
      "password_failed",
      "authenticator",
      "recovery_codes",
      "deletion_scheduled",
      "deletion_link",
      "deleted"
    ]
  },
  { name: "team", pages: ["team", "team_member", "team_leave", "invite"] },
  { name: "access", pages: ["consent", "account_choice", "device", "device_consent", "device_done"] },
  { name: "problems", pages: ["link_expired", "invitation_used", "too_many", "problem"] }
] as const

type Group = (typeof previewGroups)[number]

export type PreviewGroup = Group["name"]

export type PreviewedPage = Group["pages"][number]

/** All hosted pages that can be previewed. */
export const previewedPages: ReadonlyArray<PreviewedPage> = previewGroups.flatMap(({ pages }) => pages)
