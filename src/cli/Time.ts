/** Formats Unix seconds in UTC: `2026-11-23 01:40:12`. Returns `none` for null. */
export const timeText = (seconds: number | null, none = ""): string =>
  seconds === null ? none : new Date(seconds * 1_000).toISOString().slice(0, 19).replace("T", " ")
