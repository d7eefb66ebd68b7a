import { useTexts } from "../texts/Language.tsx"
import { Section } from "../ui/Section.tsx"
import type { ExternalType } from "./ProviderTypes.ts"
import { setupLinks, setupTexts } from "./SetupTexts.ts"
import { providerTexts } from "./Texts.ts"

/** The steps to register an app with a provider, with a link to the provider's page. */
export const SetupSteps = ({ type }: { readonly type: ExternalType }) => {
  const t = useTexts(setupTexts)
  const { names } = useTexts(providerTexts)
  const link = setupLinks[type]
  return (
    <Section
      title={t.title(names[type])}
      actions={
        link === undefined ? undefined : (
          <a className="button" href={link} target="_blank" rel="noreferrer">
            {t.open(names[type])}
          </a>
        )
      }
    >
      <ol className="setup-steps">
        {t.steps[type].map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </Section>
  )
}
