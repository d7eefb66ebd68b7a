import { type Html, html } from "#platform/Html"
import type { Texts } from "../en.ts"

/** The Spanish texts of the authorization pages. */
export const authorize: Texts["authorize"] = {
  chooseTitle: "Elija una cuenta",
  chooseLead: (client: Html): Html => html`Está iniciando sesión en ${client}.`,
  current: "Sesión iniciada",
  other: "Usar otra cuenta",
  consentTitle: "¿Permitir el acceso a su cuenta?",
  consentLead: (client: Html, realm: Html): Html => html`${client} quiere usar su cuenta de ${realm}.`,
  scopesLead: "Si lo permite, esta aplicación podrá:",
  scopes: {
    openid: "Saber cuál es su cuenta",
    profile: "Ver su nombre y su nombre de usuario",
    email: "Ver su correo electrónico",
    offline_access: "Mantener este acceso cuando no esté presente",
    orgs: "Ver sus organizaciones y los permisos que tiene en ellas"
  },
  ownScope: (scope: Html): Html => html`Usar el permiso ${scope}`,
  resource: (resource: Html): Html => html`Usar ${resource} en su nombre`,
  account: (account: Html): Html => html`Su cuenta: ${account}`,
  registeredItself: "Esta aplicación se registró por su cuenta y nadie ha verificado su nombre.",
  comesFrom: (host: Html): Html => html`Esta aplicación procede de ${host} y nadie ha verificado su nombre.`,
  toUnverifiedSite: (host: Html): Html =>
    html`Después irá a ${host}, que obtendrá este acceso. Permítalo solo si confía en este sitio.`,
  toSite: (host: Html): Html => html`Después irá a ${host}.`,
  toDevice: (program: Html): Html =>
    html`Después irá a una aplicación de este dispositivo (${program}). Permítalo solo si acaba de empezar a iniciar sesión en ella.`,
  allow: "Permitir",
  deny: "No permitir",
  toLogin: (client: Html): Html => html`Inicie sesión para continuar en ${client}.`,
  toSignup: (client: Html): Html => html`Regístrese para continuar en ${client}.`,
  /** About the link in an email. */
  sameBrowser: (client: Html): Html => html`Abra el enlace en este navegador para volver a ${client}.`,
  elsewhere: "Si empezó en otro navegador, vuelva a él para continuar.",
  codeElsewhere: "¿Empezó en otro navegador? Vuelva a él e introduzca el código del correo.",
  sendTitle: "Iniciando sesión",
  sendLead: "Está volviendo a la aplicación.",
  sendButton: "Continuar"
}
