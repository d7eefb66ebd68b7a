export const name = "Console"
