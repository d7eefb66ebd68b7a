import type { Operation } from "./Operations.ts"

/** Converts `auth_providers` to `AuthProviders`. */
export const pascalCase = (name: string): string =>
  name
    .split("_")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("")

/** Converts `auth_providers` to `authProviders`. */
export const camelCase = (name: string): string => {
  const pascal = pascalCase(name)
  return pascal.slice(0, 1).toLowerCase() + pascal.slice(1)
}

/** The singular of a resource name. */
export const singular = (resource: string): string => resource.replace(/s$/, "")

/** Names for the parameters of operations whose verb and resource don't make a meaningful or unambiguous name. */
const parameterNames: Readonly<Record<string, string>> = {
  "logins.authenticate": "Authenticate",
  "logins.authenticate_code": "AuthenticateWithCode",
  "logins.authenticate_key": "AuthenticateWithKey",
  "logins.authenticate_token": "AuthenticateWithToken",
  "external_authentication.authenticate": "AuthenticateExternally",
  "external_authentication.authenticate_token": "AuthenticateWithProviderToken",
  "external_authentication.list_urls": "ListAuthorizationUrls",
  "external_authentication.get_url": "GetAuthorizationUrl",
  "hooks.rotate_secret": "RotateHookSecret",
  "client_apps.rotate_secret": "RotateClientSecret",
  "login_policies.rotate_secret": "RotateClientSecret",
  "events.retry": "RetryNotification",
  "events.cancel": "CancelNotification",
  "imports.import": "ImportUsers",
  "exports.export": "ExportUsers",
  "test.advance": "AdvanceClock",
  "test_messages.clear": "ClearTestMessages"
}

/** The type name of an operation's parameters: `CreateUser`, `ListUsersV1`. */
export const parametersName = ({ version, resource, name }: Operation): string => {
  const suffix = version === "v1" ? "V1" : ""
  const given = parameterNames[`${resource}.${name}`]
  if (given !== undefined) return given + suffix
  if (resource === "hosted") return `Hosted${pascalCase(name.replace(/^get_/, ""))}`
  if (name.includes("_")) return pascalCase(name) + suffix
  return pascalCase(name) + pascalCase(name === "list" ? resource : singular(resource)) + suffix
}

/** The file and interface name of a resource: `Users`, `UsersV1`. */
export const resourceName = ({ version, resource }: Operation): string =>
  pascalCase(resource) + (version === "v1" ? "V1" : "")
