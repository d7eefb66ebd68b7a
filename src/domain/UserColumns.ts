/** Maps column names of user tables in other systems to row members. Column names are given as lower-case letters only. */
const memberByColumn: Readonly<Record<string, string>> = {
  id: "reference",
  userid: "reference",
  uid: "reference",
  uuid: "reference",
  externalid: "reference",
  emailaddress: "email",
  mail: "email",
  emailconfirmed: "email_verified",
  verified: "email_verified",
  firstname: "first_name",
  givenname: "first_name",
  lastname: "last_name",
  familyname: "last_name",
  surname: "last_name",
  login: "username",
  language: "locale",
  lang: "locale",
  active: "state",
  enabled: "state",
  hash: "password_hash",
  passworddigest: "password_hash",
  encryptedpassword: "password_hash",
  created: "created_at",
  signedupat: "created_at",
  lastlogin: "last_login_at",
  lastsigninat: "last_login_at",
  totpsecret: "otp_secret",
  organization: "org_name",
  organizationname: "org_name",
  organizationid: "org_reference",
  orgid: "org_reference",
  roles: "permissions",
  role: "permissions"
}

const normalizedName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "")

/** The known column names of other systems. */
export const foreignColumnNames: ReadonlyArray<string> = Object.keys(memberByColumn)

/** The row member that corresponds to a column name of another system. */
export const memberOfForeignColumn = (name: string): string | undefined =>
  Object.hasOwn(memberByColumn, name) ? memberByColumn[name] : undefined

/** The row member that corresponds to a column, ignoring the case and punctuation of the column's name. */
export const memberOfColumn = (column: string, members: ReadonlyArray<string>): string | undefined => {
  const name = normalizedName(column)
  return members.find((member) => normalizedName(member) === name) ?? memberOfForeignColumn(name)
}
