/** Removes control characters from an external text, so that it can be shown safely on a terminal line. */
export const visible = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, " ")

/** Like `visible`, for a text with several lines. */
export const visibleLines = (text: string): string => text.split("\n").map(visible).join("\n")
