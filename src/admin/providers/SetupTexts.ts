import { catalogue } from "../texts/Language.tsx"
import type { ExternalType } from "./ProviderTypes.ts"

/** Where an app is registered with each provider. Generic providers have a website of their own. */
export const setupLinks: Readonly<Record<ExternalType, string | undefined>> = {
  google: "https://console.cloud.google.com/auth/clients/create",
  apple: "https://developer.apple.com/account/resources/identifiers/list/serviceId",
  microsoft: "https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/CreateApplicationBlade",
  github: "https://github.com/settings/applications/new",
  facebook: "https://developers.facebook.com/apps/creation/",
  linkedin: "https://www.linkedin.com/developers/apps/new",
  slack: "https://api.slack.com/apps?new_app=1",
  yahoo: "https://developer.yahoo.com/apps/create/",
  oidc: undefined,
  oauth2: undefined
}

type Steps = Readonly<Record<ExternalType, ReadonlyArray<string>>>

const en: Steps = {
  google: [
    "Create an OAuth client of the type “Web application”.",
    "Under “Authorized redirect URIs”, add the callback URL.",
    "Copy the client ID and the client secret into this form."
  ],
  apple: [
    "Create a Services ID for your App ID, and turn on “Sign in with Apple”.",
    "Configure it: enter the host of the callback URL as domain, and the callback URL as return URL.",
    "Under Keys, create a key with “Sign in with Apple”, and download its .p8 file.",
    "Enter the Services ID as client ID, your team ID, the key ID, and the whole text of the .p8 file."
  ],
  microsoft: [
    "Register an application, and choose who can use it. Choose the same under “Accounts” here.",
    "As redirect URI, choose “Web” and enter the callback URL.",
    "Under “Certificates & secrets”, create a client secret, and copy its value.",
    "Copy the application (client) ID and the secret’s value into this form.",
    "To trust email addresses, add the optional claim xms_edov to the ID token under “Token configuration”."
  ],
  github: [
    "Register an OAuth app.",
    "As “Authorization callback URL”, enter the callback URL. An OAuth app has only one, so each connected app needs its own realm or its own “Other OAuth 2.0 provider”.",
    "Generate a client secret, and copy it and the client ID into this form."
  ],
  facebook: [
    "Create an app with the use case “Authenticate and request data from users with Facebook Login”.",
    "Under Facebook Login › Settings, add the callback URL as “Valid OAuth Redirect URI”.",
    "Under App settings › Basic, copy the app ID and the app secret into this form."
  ],
  linkedin: [
    "Create an app, and add the product “Sign In with LinkedIn using OpenID Connect”.",
    "Under Auth, add the callback URL as “Authorized redirect URL”.",
    "Copy the client ID and the primary client secret into this form."
  ],
  slack: [
    "Create an app from scratch.",
    "Under “OAuth & Permissions”, add the callback URL as redirect URL.",
    "Under “Basic Information”, copy the client ID and the client secret into this form."
  ],
  yahoo: [
    "Create an app with the OpenID Connect permissions “Email” and “Profile”.",
    "As redirect URI, enter the callback URL.",
    "Copy the client ID and the client secret into this form."
  ],
  oidc: [
    "Register a web application (a confidential client with authorization code) with the provider.",
    "Copy its issuer, client ID and client secret into this form. Endpoints and keys are read from the issuer.",
    "After you’ve added the provider, register the callback URL that this page shows."
  ],
  oauth2: [
    "Register a web application (a confidential client with authorization code) with the provider.",
    "Copy the client ID, the client secret and the endpoints into this form.",
    "After you’ve added the provider, register the callback URL that this page shows."
  ]
}

const es: Steps = {
  google: [
    "Cree un cliente de OAuth del tipo «Aplicación web».",
    "En «URIs de redireccionamiento autorizados», añada la URL de retorno.",
    "Copie el ID de cliente y el secreto de cliente en este formulario."
  ],
  apple: [
    "Cree un Services ID para su App ID y active «Sign in with Apple».",
    "Configúrelo: introduzca el host de la URL de retorno como dominio y la URL de retorno como «return URL».",
    "En «Keys», cree una clave con «Sign in with Apple» y descargue su archivo .p8.",
    "Introduzca el Services ID como ID de cliente, el ID de su equipo, el ID de la clave y el texto completo del archivo .p8."
  ],
  microsoft: [
    "Registre una aplicación y elija quién puede usarla. Elija lo mismo aquí en «Cuentas».",
    "Como URI de redirección, elija «Web» e introduzca la URL de retorno.",
    "En «Certificados y secretos», cree un secreto de cliente y copie su valor.",
    "Copie el ID de aplicación (cliente) y el valor del secreto en este formulario.",
    "Para confiar en las direcciones de correo, añada la notificación opcional xms_edov al token de ID en «Configuración de token»."
  ],
  github: [
    "Registre una aplicación de OAuth.",
    "Como «Authorization callback URL», introduzca la URL de retorno. Una aplicación de OAuth solo tiene una, así que cada aplicación conectada necesita su propio realm o su propio «Otro proveedor OAuth 2.0».",
    "Genere un secreto de cliente y cópielo junto con el ID de cliente en este formulario."
  ],
  facebook: [
    "Cree una aplicación con el caso de uso «Autenticar y solicitar datos a usuarios con el inicio de sesión con Facebook».",
    "En Inicio de sesión con Facebook › Configuración, añada la URL de retorno como «URI de redireccionamiento de OAuth válido».",
    "En Configuración de la app › Información básica, copie el identificador y la clave secreta de la app en este formulario."
  ],
  linkedin: [
    "Cree una aplicación y añada el producto «Sign In with LinkedIn using OpenID Connect».",
    "En «Auth», añada la URL de retorno como «Authorized redirect URL».",
    "Copie el ID de cliente y el secreto principal en este formulario."
  ],
  slack: [
    "Cree una aplicación desde cero.",
    "En «OAuth & Permissions», añada la URL de retorno como «redirect URL».",
    "En «Basic Information», copie el ID de cliente y el secreto de cliente en este formulario."
  ],
  yahoo: [
    "Cree una aplicación con los permisos de OpenID Connect «Email» y «Profile».",
    "Como URI de redirección, introduzca la URL de retorno.",
    "Copie el ID de cliente y el secreto de cliente en este formulario."
  ],
  oidc: [
    "Registre en el proveedor una aplicación web (un cliente confidencial con código de autorización).",
    "Copie su emisor, el ID de cliente y el secreto en este formulario. Los endpoints y las claves se leen del emisor.",
    "Después de añadir el proveedor, registre la URL de retorno que muestra esta página."
  ],
  oauth2: [
    "Registre en el proveedor una aplicación web (un cliente confidencial con código de autorización).",
    "Copie el ID de cliente, el secreto y los endpoints en este formulario.",
    "Después de añadir el proveedor, registre la URL de retorno que muestra esta página."
  ]
}

export const setupTexts = catalogue({
  en: { title: (name: string) => `Set up ${name}`, open: (name: string) => `Open ${name}’s website`, steps: en },
  es: { title: (name: string) => `Configurar ${name}`, open: (name: string) => `Abrir el sitio de ${name}`, steps: es }
})
