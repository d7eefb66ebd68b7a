/** Makes an external text safe for a terminal line by removing control characters. */
export const visible = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, " ")

/** The same for a text with several lines. */
export const visibleLines = (text: string): string => text.split("\n").map(visible).join("\n")
