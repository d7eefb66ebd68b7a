/** The results of deliveries that got no response. They are stored in English; the console shows them in its language. */
export const deliveryResults = {
  forbidden: "The destination is not allowed.",
  unreachable: "The destination could not be reached.",
  timed_out: "The destination did not respond in time.",
  broken_off: "The destination's response was cut off.",
  secret_unreadable: "The hook's signing secret can't be read. Rotate it.",
  template_slow: "The hook's email_template takes too long to render. Make it shorter or simpler.",
  template_nested: "The hook's email_template is nested too deeply.",
  template_long: "The hook's email_template renders an email that is too long. Make it shorter.",
  no_recipient: "There is no one to email.",
  other_user_type: "The hook does not email users of this type.",
  token_spent: "The event's token can no longer be used.",
  in_mailbox: "Stored in the local mailbox."
} as const
