// The mail thread loads this file at every start: keep its imports few.

/** The variables of mail templates (C38, C76, C158). */
export const mailVariables = [
  "app_name",
  "code",
  "deletion_at",
  "email",
  "event_at",
  "expires_in",
  "first_name",
  "full_name",
  "inviter_name",
  "ip",
  "org_name",
  "realm_name",
  "token",
  "url",
  "username"
] as const

export type MailVariable = (typeof mailVariables)[number]
