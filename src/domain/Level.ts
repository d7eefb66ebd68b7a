/** Permission levels, lowest first (C2). */
export const levels = ["read", "write", "admin_realm", "admin_all_realms"] as const

export type Level = (typeof levels)[number]

/** Returns whether a level includes the required one. */
export const allows = (level: Level, required: Level): boolean => levels.indexOf(level) >= levels.indexOf(required)
