import type { ReactNode } from "react"
import { CodeBlock } from "./Copy.tsx"

interface EmptyProps {
  readonly title: string
  /** What these things are for, in a sentence or two. */
  readonly children: ReactNode
  /** A working example, such as a curl command. */
  readonly example?: string
  /** A button that makes the first one. */
  readonly action?: ReactNode
}

/** What stands where there is nothing yet. */
export const Empty = ({ title, children, example, action }: EmptyProps) => (
  <div className="empty">
    <h2>{title}</h2>
    <div className="faint">{children}</div>
    {action}
    {example === undefined ? null : <CodeBlock text={example} />}
  </div>
)
