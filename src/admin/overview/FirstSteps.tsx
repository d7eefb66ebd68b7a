import { Circle, CircleCheck } from "lucide-react"
import { Link } from "wouter"
import { useRead } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { Section } from "../ui/Section.tsx"
import { overviewTexts } from "./Texts.ts"

/** The setup steps of a new realm. Renders nothing once all steps are done. */
export const FirstSteps = () => {
  const t = useTexts(overviewTexts)
  const realmId = useRealmId()
  const { data } = useRead(["first steps"], async (sdk) => {
    const [apps, users, hooks] = await Promise.all([
      sdk.clientApps.list({ max_results: 1 }),
      sdk.users.list({ max_results: 1 }),
      sdk.hooks.list({ max_results: 1, hook_type: "webhook" })
    ])
    return { app: apps.items.length > 0, user: users.items.length > 0, hook: hooks.items.length > 0 }
  })
  if (data === undefined || (data.app && data.user && data.hook)) return null
  const steps = [
    ["app", "apps"],
    ["user", "users"],
    ["hook", "hooks"]
  ] as const
  return (
    <Section title={t.firstSteps} lead={t.firstStepsLead}>
      <ol className="steps">
        {steps.map(([step, noun]) => (
          <li key={step}>
            {data[step] ? <CircleCheck className="good" aria-label={t.done} /> : <Circle aria-hidden />}
            <div>
              {data[step] ? (
                <strong>{t.steps[step][0]}</strong>
              ) : (
                <Link href={pathIn(realmId, noun, "new")}>{t.steps[step][0]}</Link>
              )}
              <p className="faint">{t.steps[step][1]}</p>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  )
}
