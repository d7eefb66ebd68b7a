import type { ReactNode } from "react"
import type { Limits } from "#client/generated/types/Limits"
import type { Realm } from "#client/generated/types/Realm"
import { useDraft } from "../calls/Draft.ts"
import { useRead } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { useWrite } from "../calls/Writes.ts"
import { useSession } from "../session/SessionState.tsx"
import { common } from "../texts/CommonTexts.ts"
import { useLanguage, useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { Form } from "../ui/Form.tsx"
import { Loading } from "../ui/Loading.tsx"
import { NumberField } from "../ui/NumberField.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { ProblemNote } from "../ui/ProblemNote.tsx"
import { Section } from "../ui/Section.tsx"
import { useToast } from "../ui/Toast.tsx"
import { type LimitName, limitGroups } from "./LimitTable.ts"
import { Difference, Part, Parts, useIsFound } from "./Parts.tsx"
import { realmTexts } from "./Texts.ts"

const HOUR = 3600

interface LimitProps {
  /** The text that a search finds. */
  readonly text: string
  readonly standard: string
  readonly isChanged: boolean
  readonly onReset: (() => void) | undefined
  readonly children: ReactNode
}

/** A limit that a search can find. Says if it differs from the default. */
const Limit = ({ text, standard, isChanged, onReset, children }: LimitProps) => {
  if (!useIsFound(text)) return null
  return (
    <div className="setting">
      {children}
      {isChanged ? <Difference standard={standard} onReset={onReset} /> : null}
    </div>
  )
}

const LimitsForm = ({ realm }: { readonly realm: Realm }) => {
  const t = useTexts(realmTexts)
  const { save, saved } = useTexts(common)
  const { language } = useLanguage()
  const toast = useToast()
  const disabled = !useSession().may("admin_realm")
  const draft = useDraft<{ readonly limits: Limits }>("limits", { limits: realm.limits })
  const { limits } = draft.values
  const number = new Intl.NumberFormat(language)
  const spanOf = (seconds: number) =>
    seconds % HOUR === 0 ? t.hours(seconds / HOUR) : seconds % 60 === 0 ? t.minutes(seconds / 60) : t.seconds(seconds)
  const set = (name: LimitName, value: number | null) =>
    draft.set({
      limits: Object.fromEntries(
        limitGroups
          .flatMap((group) => group.limits)
          .map((limit) => [limit.name, limit.name === name ? value : limits[limit.name]] as const)
          .filter(([, limit]) => limit !== null && limit !== undefined)
      )
    })
  return (
    <Form
      write={(sdk) => sdk.realms.update(realm.id, { limits })}
      submit={save}
      canSubmit={draft.isDirty && !disabled}
      draft={draft}
      changes={[["realms"]]}
      loaded={{ read: (sdk) => sdk.realms.get(realm.id), seen: realm, changes: { limits } }}
      onDone={() => toast({ text: saved })}
    >
      {limitGroups.map(({ group, limits: names }) => (
        <Part key={group} id={group}>
          <fieldset className="limit-group">
            <legend>{t.limitGroups[group]}</legend>
            {names.map(({ name, seconds, most }) => (
              <Limit
                key={name}
                text={`${t.limitFields[name]} ${name}`}
                standard={number.format(most)}
                isChanged={limits[name] !== undefined}
                onReset={disabled ? undefined : () => set(name, null)}
              >
                <NumberField
                  name={`limits.${name}`}
                  label={`${t.limitFields[name]} ${t.within(spanOf(seconds))}`}
                  help={limits[name] === undefined ? t.defaultIs(number.format(most)) : undefined}
                  placeholder={number.format(most)}
                  min={1}
                  disabled={disabled}
                  value={limits[name] ?? null}
                  onChange={(value) => set(name, value)}
                />
              </Limit>
            ))}
          </fieldset>
        </Part>
      ))}
    </Form>
  )
}

/** The rate limits of a realm. */
export const LimitsPage = () => {
  const t = useTexts(realmTexts)
  const toast = useToast()
  const realmId = useRealmId()
  const { may } = useSession()
  const { data: realm, error, refetch } = useRead(["realms", realmId], (sdk) => sdk.realms.get(realmId))
  const restore = useWrite((sdk) => sdk.realms.update(realmId, { limits: null }), {
    onDone: () => toast({ text: t.limitsRestored })
  })
  if (realm === undefined)
    return error === null ? <Loading /> : <ProblemNote error={error} onRetry={() => void refetch()} />
  return (
    <>
      <PageHeader title={t.limits} lead={t.limitsLead}>
        {may("admin_realm") ? (
          <Button onClick={() => restore.mutate()} pending={restore.isPending}>
            {t.limitsReset}
          </Button>
        ) : null}
      </PageHeader>
      <ProblemNote error={restore.error} />
      <Parts parts={limitGroups.map(({ group }) => ({ id: group, text: t.limitGroups[group] }))}>
        <Section title={t.limits}>
          <LimitsForm key={JSON.stringify(realm.limits)} realm={realm} />
        </Section>
      </Parts>
    </>
  )
}
