import { useLanguage, useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { download } from "../ui/Download.ts"
import { Section } from "../ui/Section.tsx"
import { Table } from "../ui/Table.tsx"
import { rejectedRowsCsv } from "./RejectedRowsCsv.ts"
import type { Progress, RejectedRow } from "./Sending.ts"
import { importTexts } from "./Texts.ts"

/** The maximum number of rejected rows shown. */
const SHOWN = 100

/** The counts of an import or a check. */
export const Numbers = ({ progress, isCheck }: { readonly progress: Progress; readonly isCheck: boolean }) => {
  const t = useTexts(importTexts)
  const { language } = useLanguage()
  const numbers = [
    [t.created, progress.created],
    [t.updated, progress.updated],
    [t.unchanged, progress.unchanged],
    // Separate calls of a check don't see each other's orgs, so the count would be wrong.
    ...(isCheck ? [] : [[t.orgs, progress.orgs] as const]),
    [t.refusedCount, progress.refused.length]
  ] as const
  return (
    <dl className="numbers">
      {numbers.map(([name, number]) => (
        <div key={name}>
          <dd>{number.toLocaleString(language)}</dd>
          <dt>{name}</dt>
        </div>
      ))}
    </dl>
  )
}

/** The rejected rows with their errors. */
export const RejectedRows = ({ refused }: { readonly refused: ReadonlyArray<RejectedRow> }) => {
  const t = useTexts(importTexts)
  if (refused.length === 0) return null
  return (
    <Section
      title={t.refused}
      lead={t.refusedLead}
      actions={
        <Button small onClick={() => download("refused.csv", "text/csv", [rejectedRowsCsv(refused)])}>
          {t.download}
        </Button>
      }
    >
      <Table
        label={t.refused}
        items={refused.slice(0, SHOWN)}
        keyOf={({ line }) => String(line)}
        columns={[
          { name: t.line, cell: ({ line }) => line },
          { name: t.reference, cell: ({ reference }) => <code>{reference}</code> },
          { name: t.why, cell: ({ errors }) => errors.join(" ") }
        ]}
      />
      {refused.length > SHOWN ? <p className="list-end faint">{t.showing(SHOWN)}</p> : null}
    </Section>
  )
}
