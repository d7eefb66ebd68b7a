/** A text from elsewhere as it may stand in a line of a terminal: without what would move the cursor or change its colours. */
export const visible = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, " ")

/** The same of a text of several lines. */
export const visibleLines = (text: string): string => text.split("\n").map(visible).join("\n")
