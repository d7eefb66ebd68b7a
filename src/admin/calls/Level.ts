/** The levels of API keys, lowest first. */
const levels = ["read", "write", "admin_realm", "admin_all_realms"] as const

export type Level = (typeof levels)[number]

/** Whether a key of one level may do what takes another. */
export const allows = (level: Level, required: Level): boolean => levels.indexOf(level) >= levels.indexOf(required)
