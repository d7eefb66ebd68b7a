import type { ReactNode } from "react"

interface SectionProps {
  readonly title: string
  readonly lead?: ReactNode
  /** Buttons next to the title. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A section of a page, as a card. */
export const Section = ({ title, lead, actions, children }: SectionProps) => (
  <section className="section" aria-label={title}>
    <header className="section-header">
      <div>
        <h2>{title}</h2>
        {lead === undefined ? null : <p className="faint">{lead}</p>}
      </div>
      {actions === undefined ? null : <div className="page-actions">{actions}</div>}
    </header>
    {children}
  </section>
)

/** A list of names and values. Entries with an undefined value are left out. */
export const Facts = ({ facts }: { readonly facts: ReadonlyArray<readonly [name: string, value: ReactNode]> }) => (
  <dl className="facts">
    {facts
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)
