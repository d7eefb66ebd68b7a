/** The reasons for failed logins, with their descriptions (C259). */
export const loginFailures = {
  wrong_password: "the password was wrong",
  no_password: "the user has no password, or it is locked because someone else proved that the email is theirs",
  user_inactive: "the password or the provider's profile was correct, but the user is inactive",
  blocked: "the user was blocked after too many wrong passwords or codes; `attempts` counts the attempts",
  unknown_user: "no user has this name; all such attempts within a minute share one event, without a user",
  wrong_code: "the code was wrong or already used",
  expired: "the code or its token was already used or has expired, or too many codes were tried with it",
  wrong_passkey: "the passkey's response was rejected, or its user is inactive",
  method_off: "this login method is disabled; `attempts` counts the attempts, and there is no user if none is known",
  provider_refused:
    "the provider denied the login, its response could not be used, or its profile was not sufficient for an account; `attempts` counts the attempts, and there is no user if none is known"
} as const

export type LoginFailure = keyof typeof loginFailures
