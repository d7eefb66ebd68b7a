/** The external providers whose endpoints and responses are built in (C44), in the order of the console. */
export const wellKnownTypes = ["google", "github", "facebook", "linkedin", "slack", "yahoo"] as const

export type WellKnownType = (typeof wellKnownTypes)[number]

export const wellKnownNames = {
  google: "Google",
  github: "GitHub",
  facebook: "Facebook",
  linkedin: "LinkedIn",
  slack: "Slack",
  yahoo: "Yahoo"
} as const satisfies Readonly<Record<WellKnownType, string>>
