import type { realmTextsEn } from "./TextsEn.ts"

export const realmTextsEs: typeof realmTextsEn = {
  realms: "Realms",
  lead: "Un realm contiene los usuarios, las organizaciones y la configuración de un producto o entorno. Los realms no comparten nada.",
  create: "Crear realm",
  createLead: "Podrás cambiar todo esto más adelante.",
  created: (name) => `Se creó ${name}`,
  basics: "Datos básicos",
  name: "Nombre",
  reference: "Referencia",
  state: "Estado",
  anyState: "Cualquier estado",
  states: { active: "Activo", inactive: "Inactivo" },
  emptyTitle: "Aún no hay realms",
  emptyText: "Crea un realm para tu producto, conecta tu aplicación y deja que la gente se registre.",
  settings: "Configuración del realm",
  settingsLead: "Cada parte se guarda por separado.",
  levelName: "admin_realm",
  sections: {
    people: "Personas y registro",
    peopleLead: "Quién puede unirse y qué se le pide.",
    login: "Inicio de sesión y sesiones",
    loginLead: "Cuánto duran las sesiones y qué se pide para iniciarlas.",
    tokens: "Tokens",
    tokensLead: "Lo que tu backend verifica en cada solicitud.",
    apiKeys: "Claves de API de usuarios",
    apiKeysLead: "Claves que tus usuarios crean para sus propios programas.",
    languages: "Idiomas",
    oauth: "Clientes OAuth",
    oauthLead: "Qué pueden pedir las aplicaciones que usan OpenID Connect y quién puede registrarlas.",
    events: "Eventos",
    links: "Enlaces a tus propias páginas",
    linksLead: "Aparecen como botones en las páginas de usuarios y organizaciones de esta consola.",
    custom: "Atributos propios",
    roles: "Roles en las organizaciones",
    rolesLead:
      "Nombres para conjuntos de permisos. Con al menos un rol, los propietarios y administradores de una organización gestionan su equipo en la página alojada /team."
  },
  roles: {
    role: "Rol",
    permissions: "Permisos",
    permissionsHelp: "Uno por línea, por ejemplo billing:read. Con ar:admin, el rol gestiona el equipo.",
    add: "Añadir rol",
    none: "Aún no hay roles: la página /team está desactivada."
  },
  links: {
    resource: "Se muestra en",
    title: "Texto",
    url: "URL",
    urlHelp: "{{id}}, {{reference}} y {{realm_id}} se sustituyen por los del usuario o la organización.",
    add: "Añadir enlace",
    remove: "Quitar",
    org: "Organizaciones",
    user: "Usuarios",
    none: "Aún no hay enlaces."
  },
  danger: "Zona de peligro",
  reset: "Vaciar realm",
  resetText:
    "Elimina todo lo que elijas abajo. La configuración, las claves y los eventos se conservan, y también lo que se cree a partir de ahora.",
  resetParts: {
    users: "Todos los usuarios, con sus sesiones, credenciales y membresías",
    orgs: "Todas las organizaciones, con sus miembros e invitaciones",
    auth_providers: "Los métodos de acceso externos; los integrados recuperan sus valores predeterminados",
    app_hooks: "Los webhooks y las plantillas de correo; los predeterminados se crean de nuevo",
    login_policies: "Las aplicaciones conectadas y los clientes OAuth"
  },
  resetTitle: (name) => `¿Vaciar ${name}?`,
  resetDone: (name) => `Se está vaciando ${name}`,
  delete: "Eliminar realm",
  deleteText: "El realm y todo lo que contiene dejará de existir de inmediato. No se puede deshacer.",
  deleteTitle: (name) => `¿Eliminar ${name}?`,
  deleted: (name) => `Se eliminó ${name}`,
  deactivate: "Desactivar",
  activate: "Activar",
  limits: "Límites",
  limitsLead:
    "Cuántas veces se puede hacer algo antes de responder con 429. Un campo vacío usa el valor predeterminado.",
  limitsReset: "Restaurar los valores predeterminados",
  limitsRestored: "Todos los límites tienen su valor predeterminado",
  limitGroups: {
    management: "API de administración",
    login: "Inicios de sesión",
    oauth: "OAuth",
    mails: "Correos",
    bulk: "Importación y exportación"
  },
  defaultIs: (value) => `Predeterminado: ${value}`,
  within: (count) => `en ${count}`,
  seconds: (count) => `${count} segundos`,
  minutes: (count) => (count === 1 ? "1 minuto" : `${count} minutos`),
  hours: (count) => (count === 1 ? "1 hora" : `${count} horas`),
  signupFields: { username: "Nombre de usuario", names: "Nombre y apellidos", org_name: "Nombre de la organización" },
  jwtScopes: { "ar.orgs": "Membresías y organizaciones", "ar.custom": "Atributos propios" },
  choices: {
    active: "Activo",
    inactive: "Inactivo: nadie puede entrar",
    live: "Producción",
    test: "Pruebas",
    standard: "Nombre de usuario y correo",
    email: "Solo correo electrónico",
    hash: "Con hash: se ven una sola vez",
    encrypt: "Cifradas: se pueden releer",
    rs256: "RS256: con una clave pública",
    hs256: "HS256: con clave compartida",
    v2: "Solo la versión 2",
    both: "Versiones 1 y 2",
    managed: "Guardadas: se pueden terminar",
    unmanaged: "Sin guardar: solo caducan",
    optional: "Opcional: para quien lo tiene",
    required: "Obligatorio: para todos",
    off: "Desactivado",
    all: "Toda clave que pueda leer",
    write: "Claves de nivel write o más",
    multi_user: "Organizaciones con miembros",
    single_user: "Un usuario por organización",
    open: "Cualquiera",
    invitation: "Personas con invitación",
    closed: "Nadie sin invitación",
    none: "No se verifican",
    request: "Por correo, tras el registro",
    preverify: "Por correo, antes del registro",
    token: "Con token de acceso inicial"
  },
  fields: {
    name: { label: "Nombre", help: "La gente lo ve en las páginas y en los correos." },
    state: {
      label: "Estado",
      help: "Si está inactivo, se rechazan los inicios de sesión y los registros; los tokens se siguen verificando y la administración funciona."
    },
    environment: { label: "Entorno", help: "Una etiqueta para ti. El realm funciona igual en ambos casos." },
    reference: { label: "Referencia", help: "Tu propio ID de este realm." },
    username_validation_human: {
      label: "Cómo se identifica a las personas",
      help: "Con solo correo, no hay nombres de usuario."
    },
    require_unique_emails: {
      label: "Cada correo pertenece a un solo usuario",
      help: "Si no, nadie puede iniciar sesión con un correo que tengan varios usuarios."
    },
    api_key_prefix: {
      label: "Prefijo",
      help: "Con qué empiezan las claves generadas, para reconocer las que se filtran."
    },
    api_key_policy: { label: "Almacenamiento", help: "Se aplica a las claves que se creen a partir de ahora." },
    jwt_max_bytes: {
      label: "Tamaño máximo del token en bytes",
      help: "Lo que no cabe se omite: primero los atributos propios y los nombres de las organizaciones. Los navegadores descartan cabeceras y cookies grandes."
    },
    record_unknown_names: {
      label: "Registrar los nombres que nadie tiene",
      help: "Los eventos dicen con qué nombres desconocidos se intentó iniciar sesión. Hay quien escribe ahí su contraseña, y quien lea los eventos la verá."
    },
    api_key_minutes: {
      label: "Duración del token en minutos",
      help: "Cuánto vale el token de un inicio de sesión con clave de API. 0 para que no caduque."
    },
    jwt_algo: {
      label: "Firma",
      help: "Un cambio crea una clave nueva. Las anteriores siguen verificando entre 6 y 24 horas."
    },
    jwt_claims: {
      label: "Claims",
      help: "Los de la versión 1 hacen los tokens más grandes. Solo los necesitan los backends que aún los leen."
    },
    jwt_scopes: {
      label: "Qué contienen los tokens además del perfil",
      help: "Cuanto más contienen, más ocupa cada solicitud."
    },
    session_type: { label: "Sesiones", help: "Las sesiones guardadas se pueden terminar antes de que caduquen." },
    session_minutes: {
      label: "Duración de la sesión en minutos",
      help: "360 son seis horas; 43200, 30 días. 0 para que no termine."
    },
    session_tokens: {
      label: "Quién puede leer los tokens de sesión",
      help: "Quien tenga un token puede actuar como el usuario."
    },
    mfa: { label: "Segundo factor", help: "Lo que la gente configuró se conserva, aunque no se pida." },
    org_mode: { label: "Organizaciones", help: "Cómo pertenecen las personas a las organizaciones." },
    signup: {
      label: "Quién puede registrarse",
      help: "En las páginas alojadas. Tu backend siempre puede crear usuarios."
    },
    signup_fields: { label: "Qué se pide en el registro", help: "Además del correo y la contraseña." },
    email_verification: {
      label: "Cómo se verifican los correos nuevos",
      help: "En un registro en las páginas alojadas."
    },
    default_locale: { label: "Idioma predeterminado", help: "Para quienes no han elegido uno." },
    available_locales: { label: "Idiomas que se pueden elegir", help: "Uno por línea, por ejemplo en o es." },
    event_retention_days: {
      label: "Días que se guardan los eventos",
      help: "35 o más. Vacío: tanto como los guarde el servicio."
    },
    passkey_rp_id: {
      label: "Dominio de las llaves de acceso",
      help: "Por ejemplo, example.com. Elígelo antes de que haya llaves de acceso: las creadas para un dominio no sirven en otro."
    },
    oauth_scopes: {
      label: "Tus propios scopes",
      help: "Uno por línea, por ejemplo notes:read. Tus API deciden qué permiten."
    },
    client_registration: {
      label: "Quién puede registrar clientes",
      help: "Los clientes MCP se registran solos. Siempre se pregunta a la persona qué le permite a un cliente así."
    },
    registration_scopes: {
      label: "Scopes para los clientes que se registran solos",
      help: "Cuáles de tus propios scopes pueden pedir."
    },
    registration_resources: {
      label: "Servidores de recursos para ellos",
      help: "Las URI de tus servidores MCP o API, una por línea."
    }
  },
  limitFields: {
    reads: "Lecturas de una clave",
    writes: "Escrituras de una clave",
    reads_total: "Lecturas de todas las claves del realm",
    writes_total: "Escrituras de todas las claves del realm",
    provider_tests: "Pruebas de métodos de acceso",
    attempts: "Intentos con contraseña o código para un usuario",
    email_codes: "Códigos de correo incorrectos para un usuario",
    hosted: "Usos de credenciales desde una dirección",
    hosted_sustained: "Lo mismo, durante más tiempo",
    passkey_challenges: "Inicios de sesión con llave de acceso desde una dirección",
    oauth: "Solicitudes de un cliente desde una dirección",
    client_secrets: "Autenticaciones fallidas de un cliente desde una dirección",
    open_requests: "Inicios de sesión en los endpoints de OAuth desde una dirección",
    open_requests_total: "Lo mismo, en todo el realm",
    user_codes: "Códigos de dispositivo incorrectos de un usuario o dirección",
    registrations: "Clientes que se registran desde una dirección",
    mails: "Correos a un destinatario",
    mails_sustained: "Lo mismo, durante más tiempo",
    visitor_mails: "Correos que causa la gente sin clave",
    visitor_mails_sustained: "Lo mismo, durante más tiempo",
    invitations: "Invitaciones a una organización",
    imports: "Importaciones de usuarios",
    exports: "Exportaciones de usuarios"
  }
}
