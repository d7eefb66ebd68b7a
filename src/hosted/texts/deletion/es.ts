import { html } from "#platform/Html"
import type { deletion as english } from "./en.ts"

/** The Spanish texts about deleting an account. */
export const deletion: typeof english = {
  heading: "Eliminar la cuenta",
  open: "Eliminar mi cuenta",
  lead: (date) =>
    html`Su cuenta y todo lo que se guarda aquí sobre usted se eliminarán el ${date}. Hasta entonces puede seguir usando su cuenta y cambiar de opinión. Le enviaremos un correo con un enlace para ello.`,
  leadAtOnce: "Su cuenta y todo lo que se guarda aquí sobre usted se eliminarán inmediatamente. No se puede deshacer.",
  confirm: (date) => `Sí, eliminar mi cuenta el ${date}.`,
  confirmAtOnce: "Sí, eliminar mi cuenta ahora.",
  button: "Eliminar mi cuenta",
  ownerOf: (orgs) =>
    html`Usted es la única persona propietaria de ${orgs}, que tiene otros miembros. Antes de eliminar su cuenta, transfiera la propiedad a otra persona.`,
  ownerOfSeveral: (orgs) =>
    html`Usted es la única persona propietaria de ${orgs}, que tienen otros miembros. Antes de eliminar su cuenta, transfiera la propiedad de cada una a otra persona.`,
  title: "Su cuenta se eliminará",
  scheduled: (date) =>
    html`Solicitó eliminar su cuenta. Se eliminará el ${date}, junto con todo lo que se guarda aquí sobre usted.`,
  keep: "Conservar mi cuenta",
  proceed: "Continuar",
  unexpected: "¿No fue usted? Conserve su cuenta y cambie después la contraseña.",
  kept: "Su cuenta se conserva",
  keptLead: "No se eliminará. Puede usarla como antes.",
  deleted: "Su cuenta se ha eliminado",
  deletedLead: "Se ha cerrado su sesión y ya no se guarda nada aquí sobre usted."
}
