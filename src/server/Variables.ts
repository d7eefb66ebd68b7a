/** One variable: what it is for, and whether it may also come from a file named by `<NAME>_FILE`. */
export interface Variable {
  readonly name: string
  readonly about: string
  readonly secret?: true
}

/** Every variable the service reads. `.env.example` lists the same. */
export const variables: ReadonlyArray<Variable> = [
  { name: "PORT", about: "The port to listen on. Default: 3000." },
  { name: "HOST", about: "The address to listen on. Default: 127.0.0.1 with the embedded database, else 0.0.0.0." },
  {
    name: "SALLYPORT_OPS_PORT",
    about:
      "A second port for operators alone, with /healthz, /readyz in full and /metrics, for whoever reaches it: keep it private. Unset: none. On PORT these details need a call from the machine itself or a key of level admin_all_realms."
  },
  { name: "SALLYPORT_OPS_HOST", about: "The address that SALLYPORT_OPS_PORT listens on. Default: that of HOST." },
  {
    name: "DATABASE_URL",
    secret: true,
    about:
      "PostgreSQL 14 or newer, postgres://user:password@host:5432/name. Unset: embedded. memory://: nothing is kept."
  },
  { name: "SALLYPORT_DATA_DIR", about: "The folder of the embedded database. Default: ./data." },
  {
    name: "SALLYPORT_ROOT_KEY",
    secret: true,
    about: "The first management key, 32 characters or more. Unset: generated at the first start and printed once."
  },
  {
    name: "SALLYPORT_SECRET",
    secret: true,
    about:
      "Encrypts secrets at rest, 32 characters or more. Several, separated by commas, to rotate: the first encrypts. Required with DATABASE_URL."
  },
  { name: "SALLYPORT_PUBLIC_URL", about: "Where callers reach the service. Default: http://localhost:<PORT>." },
  {
    name: "SALLYPORT_LOGIN_DOMAIN",
    about:
      "The domain that connected apps have theirs below: <subdomain>.<region>.<login domain>, which must lead here. Default: localhost."
  },
  { name: "SALLYPORT_REGION", about: "The region that stands in the domains of connected apps. Default: local." },
  { name: "SALLYPORT_ISSUER", about: "The issuer of all tokens. Default: <public URL>/realms/<realm id>." },
  { name: "SALLYPORT_HEADER_PREFIX", about: "The prefix of the service's own headers. Default: X-Service." },
  { name: "SALLYPORT_MAX_REALMS", about: "How many realms the deployment may hold. Default: 100." },
  {
    name: "SALLYPORT_EVENT_RETENTION_DAYS",
    about:
      "For how many days events are kept, with what was delivered of them: 35 to 3650. A realm may keep its own for less (event_retention_days). Default: 365."
  },
  {
    name: "SALLYPORT_LIMITS",
    about:
      "off: nobody is told to come back later for calling too often, as load tests need it. Blocking after wrong passwords stays. Default: on."
  },
  {
    name: "SALLYPORT_TRUSTED_PROXIES",
    about:
      "The addresses of proxies whose X-Forwarded-For is believed: addresses or networks like 10.0.0.0/8, separated by commas. Default: none."
  },
  {
    name: "SALLYPORT_ALLOW_PRIVATE_TARGETS",
    about:
      "true: hooks and providers may lead to plain http and to private addresses. Default: true with the embedded database, else false."
  },
  {
    name: "SALLYPORT_SMTP_URL",
    secret: true,
    about:
      "The mail server, smtp://user:password@host:587 (by STARTTLS) or smtps://. A server elsewhere that has no STARTTLS gets no mail unless the URL ends with ?tls=optional. Unset: no mail leaves the service; with the embedded database, or in test mode, they are at /mailbox."
  },
  {
    name: "SALLYPORT_MAIL_FROM",
    about: "The sender of mails, as address or as Name <address>. Default: no-reply@<host of the public URL>."
  },
  {
    name: "SALLYPORT_MAIL_FROM_DOMAINS",
    about:
      "The domains whose addresses hooks may send from (email_from), separated by commas; * for any. Default: the domain of SALLYPORT_MAIL_FROM; any where mails don't leave the service."
  },
  {
    name: "SALLYPORT_TEST_MODE",
    about:
      "on: callers may turn the clock (/v2/test/clock). For tests against the service, never for real users. Default: off."
  },
  {
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    about: "An OpenTelemetry collector to send traces, metrics and logs to, by OTLP over HTTP. Unset: none."
  }
]
