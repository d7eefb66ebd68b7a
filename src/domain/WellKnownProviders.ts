/** The external providers with built-in endpoints and response formats (C44), in the order shown in the console. */
export const wellKnownTypes = [
  "google",
  "apple",
  "microsoft",
  "github",
  "facebook",
  "linkedin",
  "slack",
  "yahoo"
] as const

export type WellKnownType = (typeof wellKnownTypes)[number]

export const wellKnownNames = {
  google: "Google",
  apple: "Apple",
  microsoft: "Microsoft",
  github: "GitHub",
  facebook: "Facebook",
  linkedin: "LinkedIn",
  slack: "Slack",
  yahoo: "Yahoo"
} as const satisfies Readonly<Record<WellKnownType, string>>
