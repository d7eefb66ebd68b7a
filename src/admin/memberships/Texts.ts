import { catalogue } from "../texts/Language.tsx"

export const membershipTexts = catalogue({
  en: {
    permissions: "Permissions",
    permissionsHelp:
      "Tags separated by spaces, such as ar:admin notes:write. ar:owner and ar:admin may manage the org.",
    noPermissions: "No permissions",
    role: "Role",
    noRole: "No role",
    owner: "Owner",
    admin: "Admin",
    user: "User",
    org: "Org",
    findUser: "Search by e-mail, name or ID",
    findOrg: "Search by name or ID",
    nothingFound: "Nothing matches.",
    change: "Change",
    remove: "Remove",
    expires: "Expires",
    expiresHelp: "The membership ends by itself at this time. Leave it empty for no end.",
    until: "until",
    add: "Add",
    addOrg: "Add to an org",
    addMember: "Add member",
    added: (user: string, org: string) => `${user} is now a member of ${org}`,
    editOf: (user: string, org: string) => `${user} in ${org}`,
    removed: (user: string, org: string) => `${user} was removed from ${org}`
  },
  es: {
    permissions: "Permisos",
    permissionsHelp:
      "Etiquetas separadas por espacios, como ar:admin notes:write. ar:owner y ar:admin pueden administrar la organización.",
    noPermissions: "Sin permisos",
    role: "Rol",
    noRole: "Sin rol",
    owner: "Propietario",
    admin: "Administrador",
    user: "Usuario",
    org: "Organización",
    findUser: "Busca por correo, nombre o ID",
    findOrg: "Busca por nombre o ID",
    nothingFound: "Sin resultados.",
    change: "Cambiar",
    remove: "Quitar",
    expires: "Vence",
    expiresHelp: "La membresía termina sola en este momento. Déjalo vacío para que no termine.",
    until: "hasta",
    add: "Añadir",
    addOrg: "Añadir a una organización",
    addMember: "Añadir miembro",
    added: (user: string, org: string) => `${user} ahora es miembro de ${org}`,
    editOf: (user: string, org: string) => `${user} en ${org}`,
    removed: (user: string, org: string) => `${user} ya no es miembro de ${org}`
  }
})
