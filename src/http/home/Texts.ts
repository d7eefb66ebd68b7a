import type { Locale } from "#domain/Locale"

/** The texts of the page at `/`, in one language. */
export interface Texts {
  readonly language: Locale
  readonly title: string
  readonly lead: string
  readonly version: (release: string) => string
  /** The name and the description of each linked page. */
  readonly console: readonly [name: string, about: string]
  readonly guides: readonly [name: string, about: string]
  readonly docs: readonly [name: string, about: string]
  readonly openapi: readonly [name: string, about: string]
  readonly mailbox: readonly [name: string, about: string]
  readonly health: readonly [name: string, about: string]
  readonly metrics: readonly [name: string, about: string]
}

const en: Texts = {
  language: "en",
  title: "Sallyport is running",
  lead: "This is a multi-tenant identity service. It speaks REST under /v1 and /v2.",
  version: (release) => `Version ${release}`,
  console: ["Console", "Manage everything in your browser. Log in with your account or an API key."],
  guides: ["Guides", "Step-by-step instructions: first steps, hosted login, webhooks and more."],
  docs: ["API reference", "Every operation. Try them with your API key."],
  openapi: ["OpenAPI document", "The same reference in OpenAPI 3.1, for tools."],
  mailbox: ["Mailbox", "The emails this service has sent. They stay on this machine."],
  health: ["Health", "Whether the service is ready to serve requests."],
  metrics: ["Metrics", "The service's activity, in Prometheus format."]
}

const es: Texts = {
  language: "es",
  title: "Sallyport está en marcha",
  lead: "Este es un servicio de identidad multiinquilino. Habla REST en /v1 y /v2.",
  version: (release) => `Versión ${release}`,
  console: ["Consola", "Vea y administre todo desde el navegador. Se accede con cuenta propia o clave de API."],
  guides: ["Guías", "Lo que quiere hacer, paso a paso: primeros pasos, páginas de acceso, webhooks y más. En inglés."],
  docs: ["Referencia de la API", "Todas las operaciones, que puede probar con su clave de API."],
  openapi: ["Documento OpenAPI", "La misma referencia para herramientas, en OpenAPI 3.1."],
  mailbox: ["Buzón", "Los correos que ha enviado este servicio. No salen de esta máquina."],
  health: ["Estado", "Indica si el servicio está listo para recibir solicitudes."],
  metrics: ["Métricas", "La actividad del servicio, en formato Prometheus."]
}

const texts: Readonly<Record<Locale, Texts>> = { en, es }

/** The texts in a language. */
export const textsOf = (locale: Locale): Texts => texts[locale]
