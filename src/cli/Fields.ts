import { visible } from "./Visible.ts"

/** Formats an object with one line per member. */
export const fields = (members: Readonly<Record<string, string>>): string => {
  const width = Math.max(...Object.keys(members).map((name) => name.length)) + 2
  return Object.entries(members)
    .map(([name, value]) => `${name}:`.padEnd(width) + visible(value))
    .map((line) => line.trimEnd())
    .join("\n")
}
