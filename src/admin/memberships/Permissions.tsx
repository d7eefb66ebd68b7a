import { useTexts } from "../texts/Language.tsx"
import { Badge } from "../ui/Badge.tsx"
import { TextField } from "../ui/Fields.tsx"
import { membershipTexts } from "./Texts.ts"

/** The permissions of a membership, those that say who manages the org first. */
export const Permissions = ({ permissions }: { readonly permissions: ReadonlyArray<string> }) => {
  const t = useTexts(membershipTexts)
  const named: Readonly<Record<string, string>> = { "ar:owner": t.owner, "ar:admin": t.admin }
  if (permissions.length === 0) return <span className="faint">{t.noPermissions}</span>
  return (
    <span className="tags">
      {permissions.map((tag) =>
        named[tag] === undefined ? (
          <code key={tag} className="tag">
            {tag}
          </code>
        ) : (
          <Badge key={tag} tone="good">
            {named[tag]}
          </Badge>
        )
      )}
    </span>
  )
}

interface PermissionsFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Permission tags, with blanks between them. */
export const PermissionsField = ({ value, onChange }: PermissionsFieldProps) => {
  const t = useTexts(membershipTexts)
  return (
    <TextField
      name="permissions"
      label={t.permissions}
      help={t.permissionsHelp}
      isOptional
      isCode
      value={value}
      onChange={onChange}
    />
  )
}

/** The tags of a text. */
export const tagsOf = (text: string): ReadonlyArray<string> => text.split(/\s+/).filter((tag) => tag !== "")
