import { useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { CodeBlock } from "../ui/Copy.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { teamTexts } from "./Texts.ts"

interface InvitationLinkProps {
  readonly title: string
  readonly lead?: string
  readonly url: string
  readonly onClose: () => void
}

/** Shows the link of an invitation once. */
export const InvitationLink = ({ title, lead, url, onClose }: InvitationLinkProps) => {
  const t = useTexts(teamTexts)
  return (
    <Dialog title={title} onClose={onClose} isPersistent>
      {lead === undefined ? null : <p>{lead}</p>}
      <CodeBlock text={url} label={t.linkTitle} />
      <p className="faint">{t.linkText}</p>
      <footer className="form-footer">
        <Button kind="primary" onClick={onClose}>
          {t.done}
        </Button>
      </footer>
    </Dialog>
  )
}
