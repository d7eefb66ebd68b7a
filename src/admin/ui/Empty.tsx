import type { ReactNode } from "react"
import { CodeBlock } from "./Copy.tsx"

interface EmptyProps {
  readonly title: string
  /** The purpose of the items, in one or two sentences. */
  readonly children: ReactNode
  /** A working example, such as a curl command. */
  readonly example?: string
  /** A button that creates the first item. */
  readonly action?: ReactNode
}

/** The empty state of a list. */
export const Empty = ({ title, children, example, action }: EmptyProps) => (
  <div className="empty">
    <h2>{title}</h2>
    <div className="faint">{children}</div>
    {action}
    {example === undefined ? null : <CodeBlock text={example} />}
  </div>
)
