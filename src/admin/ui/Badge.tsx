import type { ReactNode } from "react"

/** A state in a word: `good`, `bad`, `waiting`, or neither. */
export const Badge = ({
  tone = "plain",
  children
}: {
  readonly tone?: "good" | "bad" | "waiting" | "plain"
  readonly children: ReactNode
}) => <span className={`badge ${tone}`}>{children}</span>
