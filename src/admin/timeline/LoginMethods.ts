import type { EventItem } from "#client/generated/types/EventItem"
import { wellKnownNames } from "#domain/WellKnownProviders"
import { catalogue, useLanguage, useTexts } from "../texts/Language.tsx"

type LoginMethod = NonNullable<EventItem["methods"]>[number]

const loginMethodTexts = catalogue({
  en: {
    unknown: "Unknown",
    names: {
      ...wellKnownNames,
      password: "Password",
      passkey: "Passkey",
      email: "Email code or link",
      totp: "Authenticator app",
      recovery_code: "Recovery code",
      api_key: "API key",
      oidc: "OpenID Connect",
      oauth2: "OAuth 2.0",
      external: "External provider"
    },
    loggedIn: (methods: string) => `Logged in with ${methods}`,
    used: {
      ...wellKnownNames,
      password: "a password",
      passkey: "a passkey",
      email: "an email code or link",
      totp: "an authenticator app",
      recovery_code: "a recovery code",
      api_key: "an API key",
      oidc: "an OpenID Connect provider",
      oauth2: "an OAuth provider",
      external: "an external provider"
    }
  },
  es: {
    unknown: "Desconocido",
    names: {
      ...wellKnownNames,
      password: "Contraseña",
      passkey: "Llave de acceso",
      email: "Código o enlace por correo",
      totp: "Aplicación de autenticación",
      recovery_code: "Código de recuperación",
      api_key: "Clave de API",
      oidc: "OpenID Connect",
      oauth2: "OAuth 2.0",
      external: "Proveedor externo"
    },
    loggedIn: (methods: string) => `Inició sesión con ${methods}`,
    used: {
      ...wellKnownNames,
      password: "una contraseña",
      passkey: "una llave de acceso",
      email: "un código o enlace recibido por correo",
      totp: "una aplicación de autenticación",
      recovery_code: "un código de recuperación",
      api_key: "una clave de API",
      oidc: "un proveedor de OpenID Connect",
      oauth2: "un proveedor de OAuth",
      external: "un proveedor externo"
    }
  }
})

/** Returns a function that describes a login by its methods, such as "Logged in with a password and an authenticator app". */
export const useLoginText = (): ((methods: ReadonlyArray<LoginMethod>) => string) => {
  const t = useTexts(loginMethodTexts)
  const list = new Intl.ListFormat(useLanguage().language, { type: "conjunction" })
  // A method of a newer release is shown by name.
  return (methods) => t.loggedIn(list.format(methods.map((method) => t.used[method] ?? method)))
}

/** Returns a function that names the methods of logins, such as "Password + Authenticator app". */
export const useMethodsName = (): ((methods: ReadonlyArray<LoginMethod>) => string) => {
  const t = useTexts(loginMethodTexts)
  return (methods) =>
    methods.length === 0 ? t.unknown : methods.map((method) => t.names[method] ?? method).join(" + ")
}
