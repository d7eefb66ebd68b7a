import { catalogue } from "../texts/Language.tsx"

export const orgsTexts = catalogue({
  en: {
    orgs: "Orgs",
    lead: "The companies and teams that use your apps.",
    create: "Create org",
    createTitle: "Details",
    search: "Search by name, reference or ID",
    state: "State",
    anyState: "Any state",
    states: { active: "Active", inactive: "Inactive", closed: "Closed" },
    org: "Org",
    reference: "Reference",
    referenceHelp: "Your own ID for this org, such as an account number.",
    created: "Created",
    noneTitle: "No orgs yet",
    noneText:
      "An org groups the users of one customer. Each member has permissions in it, which your app reads from the token. Create one here or with the API:",
    noMatch: "No orgs found",
    noMatchText: "Try the start of a name, reference or ID.",
    tooMany: (count: number) => `Only the first ${count} are shown. Refine your search to find others.`,
    name: "Name",
    first: "First member",
    createdOne: (name: string) => `${name} created`,
    settings: "Settings",
    id: "ID",
    members: "Members",
    membersLead: "The org's members and their permissions.",
    noMembers: "No members yet.",
    invitations: "Open invitations",
    invite: "Invite",
    noInvitations: "No open invitations.",
    activate: "Activate",
    deactivate: "Deactivate",
    bulk: {
      activate: {
        running: (done: string, total: string) => `Activating ${done} of ${total}`,
        done: (count: string) => `${count} activated`
      },
      deactivate: {
        running: (done: string, total: string) => `Deactivating ${done} of ${total}`,
        done: (count: string) => `${count} deactivated`
      },
      close: {
        title: (count: string) => `Close ${count} orgs permanently?`,
        text: "Tokens no longer include closed orgs, and they can't be changed or reopened.",
        running: (done: string, total: string) => `Closing ${done} of ${total}`,
        done: (count: string) => `${count} closed`
      },
      delete: {
        title: (count: string) => `Delete ${count} orgs?`,
        text: "Permanently deletes the orgs with their memberships and open invitations. Members keep their accounts.",
        running: (done: string, total: string) => `Deleting ${done} of ${total}`,
        done: (count: string) => `${count} deleted`
      },
      deleteAction: "Delete"
    },
    activated: (name: string) => `${name} activated`,
    deactivated: (name: string) => `${name} deactivated; tokens no longer include it`,
    inactiveNote: "This org is inactive. Tokens don't include it until it is activated.",
    closedNote: "This org is permanently closed. You can view or delete it, but not change it.",
    close: "Close permanently",
    closeTitle: (name: string) => `Close ${name}?`,
    closeText:
      "You can still view a closed org and its members, but tokens no longer include it, its domains are removed, and it can't be changed or reopened.",
    closed: (name: string) => `${name} closed`,
    delete: "Delete org",
    deleteTitle: (name: string) => `Delete ${name}?`,
    deleteText:
      "Permanently deletes the org with its memberships, domains and open invitations. Members keep their accounts.",
    deleteManyText: (count: string) => `It has at least ${count} members.`,
    deleted: (name: string) => `${name} is being deleted`
  },
  es: {
    orgs: "Organizaciones",
    lead: "Las empresas y los equipos que usan sus aplicaciones.",
    create: "Crear organización",
    createTitle: "Datos",
    search: "Busque por nombre, referencia o ID",
    state: "Estado",
    anyState: "Cualquier estado",
    states: { active: "Activa", inactive: "Inactiva", closed: "Cerrada" },
    org: "Organización",
    reference: "Referencia",
    referenceHelp: "Su propio ID de esta organización, como un número de cuenta.",
    created: "Creada",
    noneTitle: "Aún no hay organizaciones",
    noneText:
      "Una organización agrupa a los usuarios de un cliente. Cada miembro tiene permisos en ella, que su aplicación lee del token. Cree una aquí o con la API:",
    noMatch: "Sin resultados",
    noMatchText: "Pruebe con el principio de un nombre, una referencia o un ID.",
    tooMany: (count: number) => `Solo se muestran las primeras ${count}. Afine la búsqueda para encontrar otras.`,
    name: "Nombre",
    first: "Primer miembro",
    createdOne: (name: string) => `Se creó ${name}`,
    settings: "Configuración",
    id: "ID",
    members: "Miembros",
    membersLead: "Los miembros de la organización y sus permisos.",
    noMembers: "Aún no hay miembros.",
    invitations: "Invitaciones abiertas",
    invite: "Invitar",
    noInvitations: "No hay invitaciones abiertas.",
    activate: "Activar",
    deactivate: "Desactivar",
    bulk: {
      activate: {
        running: (done: string, total: string) => `Activando ${done} de ${total}`,
        done: (count: string) => `${count} activadas`
      },
      deactivate: {
        running: (done: string, total: string) => `Desactivando ${done} de ${total}`,
        done: (count: string) => `${count} desactivadas`
      },
      close: {
        title: (count: string) => `¿Cerrar ${count} organizaciones de forma permanente?`,
        text: "Los tokens dejan de incluir las organizaciones cerradas, que ya no se pueden cambiar ni reabrir.",
        running: (done: string, total: string) => `Cerrando ${done} de ${total}`,
        done: (count: string) => `${count} cerradas`
      },
      delete: {
        title: (count: string) => `¿Eliminar ${count} organizaciones?`,
        text: "Elimina de forma permanente las organizaciones con sus membresías e invitaciones abiertas. Los miembros conservan sus cuentas.",
        running: (done: string, total: string) => `Eliminando ${done} de ${total}`,
        done: (count: string) => `${count} eliminadas`
      },
      deleteAction: "Eliminar"
    },
    activated: (name: string) => `Se activó ${name}`,
    deactivated: (name: string) => `Se desactivó ${name}; los tokens ya no la incluyen`,
    inactiveNote: "Esta organización está inactiva. Los tokens no la incluyen hasta que se active.",
    closedNote: "Esta organización está cerrada de forma permanente. Puede verla o eliminarla, pero no modificarla.",
    close: "Cerrar de forma permanente",
    closeTitle: (name: string) => `¿Cerrar ${name}?`,
    closeText:
      "Podrá seguir viendo la organización y sus miembros, pero los tokens ya no la incluirán, se quitarán sus dominios y no se podrá modificar ni volver a abrir.",
    closed: (name: string) => `Se cerró ${name}`,
    delete: "Eliminar organización",
    deleteTitle: (name: string) => `¿Eliminar ${name}?`,
    deleteText:
      "Elimina de forma permanente la organización con sus membresías, dominios e invitaciones abiertas. Los miembros conservan sus cuentas.",
    deleteManyText: (count: string) => `Tiene al menos ${count} miembros.`,
    deleted: (name: string) => `Se está eliminando ${name}`
  }
})
