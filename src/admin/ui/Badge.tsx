import type { ReactNode } from "react"

/** A one-word state, colored `good`, `bad`, `waiting` or neutral. */
export const Badge = ({
  tone = "plain",
  children
}: {
  readonly tone?: "good" | "bad" | "waiting" | "plain"
  readonly children: ReactNode
}) => <span className={`badge ${tone}`}>{children}</span>
