import { useState } from "react"
import type { ConnectedApp } from "#client/generated/types/ConnectedApp"
import { useRealmId } from "../calls/Scope.tsx"
import { useSession } from "../session/SessionState.tsx"
import { useTexts } from "../texts/Language.tsx"
import { CodeBlock } from "../ui/Copy.tsx"
import { Section } from "../ui/Section.tsx"
import { issuerOf, snippetsOf } from "./Snippets.ts"
import { clientTexts } from "./Texts.ts"

/** Ready-to-paste configuration for a client. */
export const ConnectSection = ({ client }: { readonly client: ConnectedApp }) => {
  const t = useTexts(clientTexts)
  const realmId = useRealmId()
  const { session } = useSession()
  const [chosen, setChosen] = useState(0)
  const snippets = snippetsOf(client, issuerOf(session.service.api_url, realmId))
  const snippet = snippets[chosen]
  return (
    <Section
      title={t.connect}
      lead={t.connectText}
      actions={
        <select
          className="small"
          aria-label={t.connectAs}
          value={chosen}
          onChange={(event) => setChosen(Number(event.target.value))}
        >
          {snippets.map(({ name }, index) => (
            <option key={name} value={index}>
              {name}
            </option>
          ))}
        </select>
      }
    >
      {snippet === undefined ? null : <CodeBlock text={snippet.text} label={snippet.name} />}
    </Section>
  )
}
