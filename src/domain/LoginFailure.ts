/** The reasons for failed logins, with the description of each (C259). */
export const loginFailures = {
  wrong_password: "the password was wrong",
  no_password: "the user has no password, or nobody may log in with it since the mailbox was proved by somebody else",
  user_inactive: "the password or the profile at a provider was right, and the user is inactive",
  blocked: "the user was blocked after many wrong passwords or codes; `attempts` says how often",
  unknown_user: "nobody has this name; of all such names of a minute there is one event, without a user",
  wrong_code: "the code was wrong or used before",
  expired: "the code or its token was used or has expired, or too many codes were tried with it",
  wrong_passkey: "the passkey's answer was refused, or its user is inactive",
  method_off: "the way to log in is turned off; `attempts` says how often, and there is no user where none is known",
  provider_refused:
    "the provider refused the login or its answer could not be used, or its profile was not enough for the account; `attempts` says how often, and there is no user where none is known"
} as const

export type LoginFailure = keyof typeof loginFailures
