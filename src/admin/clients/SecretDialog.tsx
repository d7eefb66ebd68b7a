import { useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { Code } from "../ui/Copy.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Facts } from "../ui/Section.tsx"
import { clientTexts } from "./Texts.ts"

interface SecretDialogProps {
  readonly clientId: string
  readonly secret: string
  /** Whether the previous secret still works. */
  readonly isRotated?: boolean
  readonly onClose: () => void
}

/** Shows a client secret once. */
export const SecretDialog = ({ clientId, secret, isRotated = false, onClose }: SecretDialogProps) => {
  const t = useTexts(clientTexts)
  return (
    <Dialog title={t.newSecret} isPersistent onClose={onClose}>
      <p>
        {t.newSecretText} {isRotated ? t.newSecretBoth : null}
      </p>
      <Facts
        facts={[
          [t.clientId, <Code key="id" text={clientId} label={t.clientId} />],
          [t.secret, <Code key="secret" text={secret} label={t.secret} />]
        ]}
      />
      <footer className="form-footer">
        <Button kind="primary" onClick={onClose}>
          {t.done}
        </Button>
      </footer>
    </Dialog>
  )
}
