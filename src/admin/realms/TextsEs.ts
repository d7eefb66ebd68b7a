import type { realmTextsEn } from "./TextsEn.ts"

export const realmTextsEs: typeof realmTextsEn = {
  realms: "Realms",
  lead: "Un realm contiene los usuarios, las organizaciones y la configuración de un producto o entorno. Los realms no comparten nada.",
  create: "Crear realm",
  createLead: "Podrá cambiar todo esto más adelante.",
  created: (name) => `Se creó ${name}`,
  basics: "Datos básicos",
  name: "Nombre",
  reference: "Referencia",
  state: "Estado",
  anyState: "Cualquier estado",
  states: { active: "Activo", inactive: "Inactivo" },
  emptyTitle: "Aún no hay realms",
  emptyText: "Cree un realm para su producto, conecte su aplicación y permita que los usuarios se registren.",
  settings: "Configuración del realm",
  settingsLead: "Cada sección se guarda por separado.",
  sections: {
    people: "Personas y registro",
    peopleLead: "Quién puede registrarse y qué datos debe indicar.",
    login: "Inicio de sesión y sesiones",
    loginLead: "Cuánto duran las sesiones y qué requiere un inicio de sesión.",
    tokens: "Tokens",
    tokensLead: "Los tokens que su backend verifica en cada solicitud.",
    apiKeys: "Claves de API de usuarios",
    apiKeysLead: "Claves que sus usuarios crean para sus propios programas.",
    languages: "Idiomas",
    oauth: "Clientes OAuth",
    oauthLead: "Qué pueden solicitar las aplicaciones OpenID Connect y quién puede registrarlas.",
    events: "Eventos",
    links: "Enlaces a sus propias páginas",
    linksLead: "Se muestran como botones en las páginas de usuarios y organizaciones de esta consola.",
    custom: "Atributos personalizados",
    roles: "Roles en las organizaciones",
    rolesLead:
      "Un rol es un conjunto de permisos con nombre. Si hay al menos un rol, los propietarios y administradores de las organizaciones pueden gestionar su equipo en la página alojada /team."
  },
  roles: {
    role: "Rol",
    permissions: "Permisos",
    permissionsHelp: "Uno por línea, por ejemplo billing:read. Los roles con ar:admin pueden gestionar el equipo.",
    add: "Añadir rol",
    none: "Aún no hay roles. La página /team está desactivada."
  },
  links: {
    resource: "Se muestra en",
    title: "Texto",
    url: "URL",
    urlHelp: "{{id}}, {{reference}} y {{realm_id}} se sustituyen por los valores del usuario o de la organización.",
    add: "Añadir enlace",
    remove: "Quitar",
    org: "Organizaciones",
    user: "Usuarios",
    none: "Aún no hay enlaces."
  },
  danger: "Zona de peligro",
  reset: "Vaciar realm",
  resetText:
    "Elimina todo lo que elija abajo. La configuración, las claves y los eventos no se eliminan, ni tampoco lo que se cree a partir de ahora.",
  resetParts: {
    users: "Todos los usuarios, con sus sesiones, credenciales y membresías",
    orgs: "Todas las organizaciones, con sus miembros e invitaciones",
    auth_providers: "Los métodos de acceso externos; los integrados vuelven a sus valores predeterminados",
    app_hooks: "Los webhooks y las plantillas de correo; las plantillas predeterminadas se crean de nuevo",
    login_policies: "Las aplicaciones conectadas y los clientes OAuth"
  },
  resetTitle: (name) => `¿Vaciar ${name}?`,
  resetDone: (name) => `Se está vaciando ${name}`,
  delete: "Eliminar realm",
  deleteText: "Elimina de inmediato el realm y todo lo que contiene. Esta acción no se puede deshacer.",
  deleteTitle: (name) => `¿Eliminar ${name}?`,
  deleted: (name) => `Se eliminó ${name}`,
  deactivate: "Desactivar",
  activate: "Activar",
  limits: "Límites de uso",
  limitsLead:
    "Las solicitudes que superan un límite reciben un 429. Deje un campo vacío para usar el valor predeterminado.",
  searchSettings: "Buscar ajustes",
  onThisPage: "En esta página",
  noSettingFound: "No se ha encontrado ningún ajuste.",
  differs: (standard: string) => `Modificado. Predeterminado: ${standard}`,
  resetToDefault: "Restablecer",
  limitsReset: "Restaurar los valores predeterminados",
  limitsRestored: "Límites predeterminados restaurados",
  limitGroups: {
    management: "API de administración",
    login: "Inicios de sesión",
    oauth: "OAuth",
    mails: "Correos",
    bulk: "Importaciones y exportaciones"
  },
  defaultIs: (value) => `Predeterminado: ${value}`,
  within: (count) => `cada ${count}`,
  seconds: (count) => `${count} segundos`,
  minutes: (count) => (count === 1 ? "1 minuto" : `${count} minutos`),
  hours: (count) => (count === 1 ? "1 hora" : `${count} horas`),
  signupFields: { username: "Nombre de usuario", names: "Nombre y apellidos", org_name: "Nombre de la organización" },
  jwtScopes: { "ar.orgs": "Membresías y organizaciones", "ar.custom": "Atributos personalizados" },
  choices: {
    active: "Activo",
    inactive: "Inactivo: nadie puede iniciar sesión",
    live: "Producción",
    test: "Pruebas",
    standard: "Correo o nombre de usuario",
    email: "Solo correo electrónico",
    hash: "Con hash: solo se muestran al crearlas",
    encrypt: "Cifradas: se pueden ver más tarde",
    rs256: "RS256: se verifica con una clave pública",
    hs256: "HS256: se verifica con un secreto compartido",
    v2: "Solo la versión 2",
    both: "Versiones 1 y 2",
    managed: "Guardadas: se pueden ver y terminar",
    unmanaged: "Sin guardar: válidas hasta que caducan",
    optional: "Opcional: para los usuarios que lo tienen",
    required: "Obligatorio: todos deben configurarlo",
    off: "Desactivado",
    all: "Todas las claves de API",
    write: "Claves de API de nivel write o superior",
    multi_user: "Las organizaciones tienen miembros",
    single_user: "Un usuario por organización, que puede recomendar a otros",
    open: "Cualquiera",
    invitation: "Personas con invitación",
    closed: "Nadie sin invitación",
    none: "Sin verificar",
    request: "Por correo, tras el registro",
    preverify: "Por correo, antes del registro",
    token: "Programas con un token de acceso inicial"
  },
  fields: {
    name: { label: "Nombre", help: "Se muestra en las páginas y en los correos." },
    state: {
      label: "Estado",
      help: "En un realm inactivo nadie puede iniciar sesión ni registrarse. Los tokens se siguen verificando, y puede seguir administrando el realm."
    },
    environment: { label: "Entorno", help: "Solo es una etiqueta. El realm funciona igual en ambos casos." },
    reference: { label: "Referencia", help: "Su propio ID de este realm." },
    username_validation_human: {
      label: "Identificador de inicio de sesión",
      help: "Con «Solo correo electrónico», los usuarios no tienen nombre de usuario."
    },
    require_unique_emails: {
      label: "Cada correo pertenece a un solo usuario",
      help: "Si está desactivado, nadie puede iniciar sesión con un correo que compartan varios usuarios."
    },
    api_key_prefix: {
      label: "Prefijo",
      help: "El comienzo de las claves generadas, para poder reconocer las que se filtren."
    },
    api_key_policy: { label: "Almacenamiento", help: "Se aplica a las claves que se creen a partir de ahora." },
    jwt_max_bytes: {
      label: "Tamaño máximo del token en bytes",
      help: "Los claims que no caben se omiten, empezando por los atributos personalizados y los nombres de las organizaciones. Los navegadores descartan las cabeceras y cookies grandes."
    },
    record_unknown_names: {
      label: "Registrar nombres de inicio de sesión desconocidos",
      help: "Los eventos incluyen los nombres desconocidos de los inicios de sesión fallidos. A veces alguien escribe ahí su contraseña por error, que entonces puede verse en los eventos."
    },
    api_key_minutes: {
      label: "Duración del token en minutos",
      help: "Cuánto tiempo es válido un token obtenido con una clave de API. 0 para que no caduque."
    },
    jwt_algo: {
      label: "Firma",
      help: "Un cambio crea una clave nueva. Las anteriores siguen verificando entre 6 y 24 horas."
    },
    jwt_claims: {
      label: "Claims",
      help: "Los claims de la versión 1 hacen que los tokens sean más grandes. Inclúyalos solo si su backend aún los lee."
    },
    jwt_scopes: {
      label: "Contenido de los tokens además del perfil",
      help: "Con tokens más grandes, todas las solicitudes son más grandes."
    },
    session_type: { label: "Sesiones", help: "Las sesiones guardadas se pueden terminar antes de que caduquen." },
    session_minutes: {
      label: "Duración de la sesión en minutos",
      help: "360 son 6 horas; 43200, 30 días. 0 para que no caduque."
    },
    session_tokens: {
      label: "Quién puede leer los tokens de sesión",
      help: "Cualquiera que tenga un token puede actuar como el usuario."
    },
    mfa: {
      label: "Segundo factor",
      help: "Si lo desactiva, los segundos factores que los usuarios ya han configurado no se eliminan."
    },
    trusted_devices_days: {
      label: "Dispositivos de confianza: días sin segundo factor",
      help: "En la página de inicio de sesión, los usuarios pueden marcar «Confiar en este dispositivo» y omitir ahí el segundo factor durante 1 a 90 días. Déjelo vacío para pedirlo siempre."
    },
    org_mode: { label: "Organizaciones", help: "Cómo pertenecen los usuarios a las organizaciones." },
    signup: {
      label: "Quién puede registrarse",
      help: "En las páginas alojadas. Su backend siempre puede crear usuarios."
    },
    signup_fields: { label: "Campos del registro", help: "Además del correo y la contraseña." },
    email_verification: {
      label: "Verificación del correo",
      help: "Para los registros en las páginas alojadas."
    },
    default_locale: { label: "Idioma predeterminado", help: "Para los usuarios que no han elegido un idioma." },
    available_locales: { label: "Idiomas disponibles", help: "Uno por línea, por ejemplo en o es." },
    event_retention_days: {
      label: "Conservación de eventos en días",
      help: "Al menos 35. Déjelo vacío para usar el periodo de conservación del servicio."
    },
    account_deletion_days: {
      label: "Eliminación de cuentas en días",
      help: "Los usuarios pueden eliminar sus propias cuentas en las páginas alojadas. Hasta la eliminación, de 0 a 90 días después, pueden cambiar de opinión. Déjelo vacío para desactivarlo."
    },
    passkey_rp_id: {
      label: "Dominio de las llaves de acceso",
      help: "Por ejemplo, example.com. Defínalo antes de que los usuarios creen llaves de acceso. Las creadas para un dominio no funcionan en otro."
    },
    oauth_scopes: {
      label: "Ámbitos propios (scopes)",
      help: "Uno por línea, por ejemplo notes:read. Sus API deciden qué permite cada uno."
    },
    client_registration: {
      label: "Quién puede registrar clientes",
      help: "Los clientes MCP se registran automáticamente. Para ellos siempre se pide el consentimiento del usuario."
    },
    registration_scopes: {
      label: "Ámbitos de los clientes con registro automático",
      help: "Los ámbitos propios que estos clientes pueden solicitar."
    },
    registration_resources: {
      label: "Servidores de recursos de los clientes con registro automático",
      help: "Las URI de sus servidores MCP o API, una por línea."
    }
  },
  limitFields: {
    reads: "Lecturas por clave de API",
    writes: "Escrituras por clave de API",
    reads_total: "Lecturas de todas las claves de API del realm",
    writes_total: "Escrituras de todas las claves de API del realm",
    provider_tests: "Pruebas de métodos de acceso",
    domain_checks: "Comprobaciones de dominios",
    attempts: "Intentos de contraseña y código por usuario",
    email_codes: "Códigos de correo incorrectos por usuario",
    hosted: "Inicios de sesión y otros usos de credenciales por dirección IP",
    hosted_sustained: "Usos de credenciales por dirección IP",
    passkey_challenges: "Inicios de sesión con llave de acceso por dirección IP",
    oauth: "Solicitudes por cliente y dirección IP",
    client_secrets: "Autenticaciones fallidas por cliente y dirección IP",
    open_requests: "Inicios de sesión de OAuth por dirección IP",
    open_requests_total: "Inicios de sesión de OAuth en todo el realm",
    user_codes: "Códigos de dispositivo incorrectos por usuario o dirección IP",
    registrations: "Registros de clientes por dirección IP",
    mails: "Correos por destinatario",
    mails_sustained: "Correos por destinatario",
    visitor_mails: "Correos solicitados sin clave de API",
    visitor_mails_sustained: "Correos solicitados sin clave de API",
    invitations: "Invitaciones por organización",
    imports: "Importaciones de usuarios",
    exports: "Exportaciones de usuarios"
  }
}
