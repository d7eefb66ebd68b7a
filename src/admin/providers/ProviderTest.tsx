import { useState } from "react"
import type { ProviderTest as Outcome } from "#client/generated/types/ProviderTest"
import { useWrite } from "../calls/Writes.ts"
import { useTexts } from "../texts/Language.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { ProblemNote } from "../ui/ProblemNote.tsx"
import { Section } from "../ui/Section.tsx"
import { providerTexts } from "./Texts.ts"

const tones = { completed: "good", failed: "bad", skipped: "plain" } as const

/** Tests a provider's saved settings. */
export const ProviderTest = ({ providerId }: { readonly providerId: string }) => {
  const t = useTexts(providerTexts)
  const [outcome, setOutcome] = useState<Outcome | undefined>()
  const { mutate, isPending, error } = useWrite((sdk) => sdk.authProviders.test(providerId), {
    changes: [],
    onDone: setOutcome
  })
  return (
    <Section
      title={t.testTitle}
      lead={t.testText}
      actions={
        <Button onClick={() => mutate()} pending={isPending}>
          {t.test}
        </Button>
      }
    >
      <div className="stack" aria-live="polite">
        <ProblemNote error={error} />
        {outcome === undefined ? null : (
          <>
            <p className={outcome.state === "completed" ? "note good" : "note waiting"}>
              {outcome.state === "completed" ? t.testOk : t.testFailed}
            </p>
            <ul className="checks-list">
              {outcome.checks.map(({ name, state, detail }) => (
                <li key={name}>
                  <Badge tone={tones[state]}>{t.results[state]}</Badge>
                  <span>
                    <strong>{t.checks[name]}</strong>
                    <span className="field-help">{detail}</span>
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Section>
  )
}
