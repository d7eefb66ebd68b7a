import { visible } from "./Visible.ts"

/** Lays out a thing as one line for each of its members. */
export const fields = (members: Readonly<Record<string, string>>): string => {
  const width = Math.max(...Object.keys(members).map((name) => name.length)) + 2
  return Object.entries(members)
    .map(([name, value]) => `${name}:`.padEnd(width) + visible(value))
    .map((line) => line.trimEnd())
    .join("\n")
}
