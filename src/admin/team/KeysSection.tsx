import { useState } from "react"
import { useRead } from "../calls/Reads.ts"
import { useSession } from "../session/SessionState.tsx"
import { useTexts } from "../texts/Language.tsx"
import { useAct } from "../ui/Act.ts"
import { Button } from "../ui/Button.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { ProblemNote } from "../ui/ProblemNote.tsx"
import { Section } from "../ui/Section.tsx"
import { useToast } from "../ui/Toast.tsx"
import { teamTexts } from "./Texts.ts"

/** Shows and changes whether API keys may log in to the console. */
export const KeysSection = () => {
  const t = useTexts(teamTexts)
  const toast = useToast()
  const act = useAct()
  const { session } = useSession()
  const [isTurningOff, setTurningOff] = useState(false)
  const { data, error } = useRead(["console"], (sdk) => sdk.console.get())
  if (data === undefined) return <ProblemNote error={error} />
  const isOperator = session.operator !== null
  const turnOn = () =>
    void act({ write: (sdk) => sdk.console.update({ api_keys: true }), text: t.turnedOn, changes: [["console"]] })
  return (
    <Section
      title={t.keysTitle}
      lead={data.api_keys ? t.keysOn : t.keysOff}
      actions={
        data.api_keys ? (
          <Button onClick={() => setTurningOff(true)} disabled={!isOperator}>
            {t.turnOff}
          </Button>
        ) : (
          <Button onClick={turnOn}>{t.turnOn}</Button>
        )
      }
    >
      {data.api_keys && !isOperator ? <p className="faint">{t.turnOffNeedsAccount}</p> : null}
      {isTurningOff ? (
        <Confirm
          title={t.turnOffTitle}
          action={t.turnOff}
          write={(sdk) => sdk.console.update({ api_keys: false })}
          changes={[["console"]]}
          onClose={() => setTurningOff(false)}
          onDone={() => {
            toast({ text: t.turnedOff })
            setTurningOff(false)
          }}
        >
          <p>{t.turnOffText}</p>
        </Confirm>
      ) : null}
    </Section>
  )
}
