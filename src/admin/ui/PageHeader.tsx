import { ChevronRight } from "lucide-react"
import type { ReactNode } from "react"
import { Link } from "wouter"
import { pathAsLeft, returning } from "../history/Places.ts"
import { useTitle } from "./Title.ts"

interface PageHeaderProps {
  readonly title: string
  /** The purpose of the page, in one sentence. */
  readonly lead?: ReactNode
  /** The parent pages. */
  readonly above?: ReadonlyArray<{ readonly text: string; readonly to: string }>
  /** Content next to the title, such as a badge. */
  readonly beside?: ReactNode
  /** Buttons. */
  readonly children?: ReactNode
}

/** The heading of a page, which also sets the window title. */
export const PageHeader = ({ title, lead, above = [], beside, children }: PageHeaderProps) => {
  useTitle(title)
  return (
    <header className="page-header">
      {above.length === 0 ? null : (
        <nav className="crumbs" aria-label={title}>
          {above.map(({ text, to }) => (
            <span key={to}>
              <Link href={pathAsLeft(to)} state={returning}>
                {text}
              </Link>
              <ChevronRight aria-hidden />
            </span>
          ))}
        </nav>
      )}
      <div className="page-title">
        <h1>{title}</h1>
        {beside}
        {children === undefined ? null : <div className="page-actions">{children}</div>}
      </div>
      {lead === undefined ? null : <p className="faint">{lead}</p>}
    </header>
  )
}
