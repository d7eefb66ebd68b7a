import { useRead } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { useTexts } from "../texts/Language.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Select, TextField } from "../ui/Fields.tsx"
import { membershipTexts } from "./Texts.ts"

/** A named set of permissions. */
interface Role {
  readonly name: string
  readonly permissions: ReadonlyArray<string>
}

/** Reads the realm's roles. */
const useRoles = (): ReadonlyArray<Role> => {
  const realmId = useRealmId()
  return useRead(["realms", realmId], (sdk) => sdk.realms.get(realmId)).data?.roles ?? []
}

/** Splits a text into permission tags. */
export const tagsOf = (text: string): ReadonlyArray<string> => text.split(/\s+/).filter((tag) => tag !== "")

const keyOf = (permissions: ReadonlyArray<string>): string => permissions.toSorted().join(" ")

/** The role with exactly these permissions, if any. The service determines it in the same way. */
const roleOf = (roles: ReadonlyArray<Role>, permissions: ReadonlyArray<string>): Role | undefined =>
  roles.find((role) => keyOf(role.permissions) === keyOf(permissions))

/** A membership's role. Without a role, its owner or admin status and its tags. */
export const Permissions = ({ permissions }: { readonly permissions: ReadonlyArray<string> }) => {
  const t = useTexts(membershipTexts)
  const role = roleOf(useRoles(), permissions)
  const named: Readonly<Record<string, string>> = { "ar:owner": t.owner, "ar:admin": t.admin }
  if (permissions.length === 0) return <span className="faint">{t.noPermissions}</span>
  if (role !== undefined)
    return (
      <span title={permissions.join(" ")}>
        <Badge tone="good">{role.name}</Badge>
      </span>
    )
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

/** A field for permission tags, separated by spaces. Choosing a role fills in its permissions. */
export const PermissionsField = ({ value, onChange }: PermissionsFieldProps) => {
  const t = useTexts(membershipTexts)
  const roles = useRoles()
  const tags = tagsOf(value)
  const choose = (name: string) => {
    const role = roles.find((one) => one.name === name)
    onChange((role?.permissions ?? []).join(" "))
  }
  return (
    <>
      {roles.length === 0 ? null : (
        <Select
          name="permissions.role"
          label={t.role}
          value={roleOf(roles, tags)?.name ?? ""}
          onChange={choose}
          options={[{ value: "", text: t.noRole }, ...roles.map(({ name }) => ({ value: name, text: name }))]}
        />
      )}
      <TextField
        name="permissions"
        label={t.permissions}
        help={t.permissionsHelp}
        isOptional
        isCode
        value={value}
        onChange={onChange}
      />
    </>
  )
}
