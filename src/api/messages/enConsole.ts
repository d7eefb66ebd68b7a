/** The messages about the console and its operators, in English. */
export const consoleMessages = {
  too_many_operators: "There can be at most {most} operators. Remove those who no longer need access.",
  owner_of_all_realms: "{field} can't be owner for an operator who is locked to a realm.",
  operator_active:
    "This operator has already logged in. An operator who forgot the password can reset it on the login page.",
  last_owner: "This is the last owner. Make someone else an owner first.",
  operators_only:
    "{field} can only be turned off by an owner who is logged in to the console. Otherwise, no one could log in.",
  console_keys_off: "{field} can't be turned on, because SALLYPORT_CONSOLE_KEYS is off.",
  login_link_over: "This link has expired or was already used.",
  console_key_refused: "API keys can't log in to this console. Log in with your own account.",
  console_not_built: "The console has not been built. Run npm run build.",
  console_other_site: "The console accepts requests only from its own pages.",
  own_request: "Requests of the service itself can't read this.",
  console_session_over: "You are not logged in to the console, or your session has ended. Log in again."
}
