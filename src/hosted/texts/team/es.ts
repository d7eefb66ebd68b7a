import { html } from "#platform/Html"
import type { team as english } from "./en.ts"

/** The Spanish texts of the team page. */
export const team: typeof english = {
  title: "Equipo",
  lead: (org) => html`Las personas de ${org}`,
  saved: {
    role: "El rol se ha cambiado.",
    removed: "Se ha quitado al miembro.",
    left: "Ha salido de la organización.",
    handed_over: "La organización cambió de propietario. Usted ya no lo es.",
    invited: "La invitación se ha enviado.",
    resent: "La invitación se ha enviado de nuevo.",
    revoked: "La invitación se ha retirado."
  },
  refused: {
    no_team: "No es miembro de esta organización.",
    not_allowed: "No tiene permiso para hacer esto. Pídaselo a un propietario de la organización.",
    not_granted: "No puede asignar este rol. Elija otro.",
    member_gone: "Esta persona ya no es miembro.",
    invitation_gone: "Esta invitación ya se ha aceptado o retirado, o ha caducado.",
    changed: "Alguien ha cambiado entretanto el rol de esta persona. Compruébelo e inténtelo de nuevo.",
    last_owner: "Es la única persona propietaria. Nombre antes a otra."
  },
  orgs: "Sus organizaciones",
  members: "Miembros",
  owner: "Propietario",
  custom: "Rol personalizado",
  you: "Usted",
  joined: (date) => html`Desde el ${date}`,
  roleOf: (name) => `Rol de ${name}`,
  manage: "Gestionar",
  manageOf: (name) => `Gestionar a ${name}`,
  search: "Nombre o correo",
  searchButton: "Buscar",
  everyone: "Mostrar a todos",
  nobody: (search) => html`Nadie coincide con ${search}.`,
  pages: "Páginas",
  first: "Primera página",
  next: "Página siguiente",
  invite: "Invitar a alguien",
  email: "Correo electrónico",
  role: "Rol",
  inviteButton: "Enviar invitación",
  invitations: "Invitaciones pendientes",
  sent: (date) => html`Enviada el ${date}`,
  expires: (date) => html`caduca el ${date}`,
  resend: "Reenviar",
  resendTo: (email) => `Reenviar a ${email}`,
  revoke: "Retirar",
  revokeOf: (email) => `Retirar la invitación de ${email}`,
  member: "Miembro",
  back: "Volver al equipo",
  changeRole: "Cambiar el rol",
  choose: "Elija un rol",
  remove: "Quitar de la organización",
  removeLead: (name, org) =>
    html`¿Quitar a ${name} de ${org}? Perderá el acceso y necesitará una nueva invitación para volver.`,
  removeButton: (name) => `Quitar a ${name}`,
  handOver: "Traspasar la propiedad",
  handOverLead: (name, org) =>
    html`¿Traspasar ${org} a ${name}? Usted seguirá como administrador, y solo el nuevo propietario podrá devolvérsela.`,
  handOverButton: (name) => `Traspasar a ${name}`,
  leave: "Salir de esta organización",
  leaveTitle: "¿Salir de la organización?",
  leaveLead: (org) => html`Perderá el acceso a ${org}. Para volver, necesitará una nueva invitación.`,
  leaveButton: (org) => `Salir de ${org}`,
  lastOwner: (org) =>
    html`Es la única persona propietaria de ${org}, así que aún no puede salir. Elija a otro miembro en la página del equipo y traspásele antes la propiedad.`
}
