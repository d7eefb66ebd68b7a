import { useMemo, useState } from "react"
import { useRealmId } from "../calls/Scope.tsx"
import { ChooseFile } from "../imports/ChooseFile.tsx"
import { memberOf } from "../imports/Columns.ts"
import { MapColumns } from "../imports/MapColumns.tsx"
import { rowsOf } from "../imports/Rows.ts"
import { RunImport } from "../imports/RunImport.tsx"
import { importTexts } from "../imports/Texts.ts"
import type { UserFile } from "../imports/UserFile.ts"
import { NeedsLevel } from "../session/NeedsLevel.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useLanguage, useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { CodeBlock } from "../ui/Copy.tsx"
import { Switch } from "../ui/Fields.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { Section } from "../ui/Section.tsx"
import { usersTexts } from "./Texts.ts"

/** The number of rows in the preview. */
const SHOWN = 3

const Chosen = ({ file }: { readonly file: UserFile }) => {
  const t = useTexts(importTexts)
  const { language } = useLanguage()
  const names: Readonly<Record<string, string>> = t.members
  const [chosen, setChosen] = useState<ReadonlyArray<string>>(file.format === "csv" ? file.columns.map(memberOf) : [])
  const [isEmailReference, setEmailReference] = useState(false)
  const [isNameReference, setNameReference] = useState(false)
  const duplicate = chosen.find((member, index) => member !== "" && chosen.indexOf(member) !== index)
  const isTable = file.format === "csv"
  const lacksReference = isTable && !chosen.includes("reference")
  const lacksOrg =
    isTable && !chosen.includes("org_reference") && chosen.some((one) => one === "org_name" || one === "permissions")
  const email = lacksReference && isEmailReference
  const orgName = lacksOrg && isNameReference
  const made = useMemo(() => rowsOf(file, chosen, { email, orgName }, t), [file, chosen, email, orgName, t])
  const isReady = duplicate === undefined && lacksReference === email && lacksOrg === orgName
  return (
    <>
      {isTable ? (
        <MapColumns columns={file.columns} records={file.records} chosen={chosen} onChoose={setChosen} />
      ) : null}
      {lacksReference ? (
        <Section title={names["reference"] ?? ""} lead={t.noReference}>
          <Switch
            name="reference"
            label={t.emailAsReference}
            value={isEmailReference}
            onChange={setEmailReference}
            disabled={!chosen.includes("email")}
          />
        </Section>
      ) : null}
      {lacksOrg ? (
        <Section title={names["org_reference"] ?? ""} lead={t.noOrgReference}>
          <Switch
            name="org_reference"
            label={t.nameAsReference}
            value={isNameReference}
            onChange={setNameReference}
            disabled={!chosen.includes("org_name")}
          />
        </Section>
      ) : null}
      {duplicate === undefined ? null : (
        <p className="problem" role="alert">
          {t.twice(names[duplicate] ?? duplicate)}
        </p>
      )}
      <Section title={t.preview} lead={`${t.previewLead} ${t.rows(file.records.length.toLocaleString(language))}`}>
        <CodeBlock
          text={made.rows
            .slice(0, SHOWN)
            .map(({ row }) => JSON.stringify(row))
            .join("\n")}
        />
      </Section>
      {isReady ? <RunImport key={`${chosen.join()} ${email} ${orgName}`} made={made} /> : null}
    </>
  )
}

/** The page to import users from a file. */
export const ImportPage = () => {
  const t = useTexts(importTexts)
  const u = useTexts(usersTexts)
  const realmId = useRealmId()
  const [read, setRead] = useState<{ readonly name: string; readonly file: UserFile }>()
  return (
    <>
      <PageHeader
        title={t.title}
        lead={read === undefined ? t.lead : read.name}
        above={[{ text: u.users, to: pathIn(realmId, "users") }]}
      >
        {read === undefined ? undefined : <Button onClick={() => setRead(undefined)}>{t.chooseOther}</Button>}
      </PageHeader>
      <NeedsLevel level="admin_realm">
        {read === undefined ? (
          <ChooseFile onRead={(name, file) => setRead({ name, file })} />
        ) : (
          <Chosen key={read.name} file={read.file} />
        )}
      </NeedsLevel>
    </>
  )
}
