/** An environment variable. `secret`: its value may also come from the file that `<NAME>_FILE` names. */
export interface Variable {
  readonly name: string
  readonly about: string
  readonly secret?: true
}

/** Every variable that the service reads. `.env.example` lists the same variables. */
export const variables: ReadonlyArray<Variable> = [
  { name: "PORT", about: "The port to listen on. Default: 3000." },
  {
    name: "HOST",
    about: "The address to listen on. Default: 127.0.0.1 with the embedded database, otherwise 0.0.0.0."
  },
  {
    name: "SALLYPORT_OPS_PORT",
    about:
      "A second port for operators that serves /healthz, the full /readyz and /metrics to anyone who can reach it, so keep it private. Default: none. On PORT, these details require a key of level admin_all_realms, or a call from the machine itself if SALLYPORT_PUBLIC_URL is a loopback URL and there are no trusted proxies."
  },
  {
    name: "SALLYPORT_OPS_HOST",
    about:
      "The address that SALLYPORT_OPS_PORT listens on. Default: the same as HOST, so all addresses with DATABASE_URL unless HOST is set."
  },
  {
    name: "DATABASE_URL",
    secret: true,
    about:
      "A PostgreSQL database (version 14 or later), as postgres://user:password@host:5432/name, or memory:// to store nothing. Several hosts separated by commas (db1:5432,db2:5432) are a primary and its standbys: every connection goes to the server that accepts writes, also after a failover. Default: the embedded database."
  },
  {
    name: "SALLYPORT_WORKERS",
    about:
      "The number of processes that serve PORT together, or auto for one per core. More than 1 requires PostgreSQL. The processes share the machine's cores and the connections to the database (SALLYPORT_DATABASE_POOL_SIZE). Default: 1."
  },
  {
    name: "SALLYPORT_DATABASE_POOL_SIZE",
    about:
      "The number of PostgreSQL connections that each process keeps open for requests, from 2 to 500. In addition, all processes share up to 4 connections for long statements (at least 2 each), and each process has one for health checks: SALLYPORT_WORKERS × (this + 1) + 4 must be below max_connections on each node. Default: 10, shared by all SALLYPORT_WORKERS (at least 2 each)."
  },
  {
    name: "SALLYPORT_DATABASE_POOLER",
    about:
      "Set to transaction if DATABASE_URL leads through a pooler in transaction mode, such as PgBouncer. Connections then start without time limits and use no prepared statements. The user must have the limits instead (statement_timeout and idle_in_transaction_session_timeout, by ALTER ROLE), or the service won't start. Default: none."
  },
  {
    name: "DATABASE_REPLICA_URL",
    secret: true,
    about:
      "A streaming replica of the database. It serves lists, searches, statistics and exports once it has everything that was committed before the request; otherwise the primary does. In the form of DATABASE_URL, but with a single host, and through the same kind of pooler. Default: none."
  },
  {
    name: "SALLYPORT_REPLICA_MAX_LAG_MILLISECONDS",
    about:
      "How long a read waits for the replica to catch up with the primary, in milliseconds, from 0 to 5000. After that, the primary serves it. Default: 100."
  },
  {
    name: "SALLYPORT_DATABASE_TIMEOUT_SECONDS",
    about:
      "How long PostgreSQL may leave a request's statement without any response, in seconds, from 9 to 600. Then the connection is closed, and the request gets 503. A statement that PostgreSQL is executing is canceled after 8 seconds in any case. Default: 9."
  },
  {
    name: "SALLYPORT_DATABASE_WAIT_SECONDS",
    about:
      "How long a start waits if PostgreSQL can't be reached, in seconds, from 0 to 3600. Then the service exits with code 1. If the user, the password or the database is wrong, it exits immediately. Default: 60."
  },
  { name: "SALLYPORT_DATA_DIR", about: "The folder of the embedded database. Default: ./data." },
  {
    name: "SALLYPORT_ROOT_KEY",
    secret: true,
    about:
      "The first API key, at least 32 characters. Default: generated on first start, and printed once if the output is a terminal; otherwise written to the file root_key in SALLYPORT_DATA_DIR, which only its owner can read."
  },
  {
    name: "SALLYPORT_SECRET",
    secret: true,
    about:
      "The key that encrypts secrets at rest, at least 32 characters. Separate several keys with commas: the first key encrypts, all keys decrypt. To rotate it (sallyport secrets rotate): 1. add a new key after the old one on all nodes, 2. put it first on all nodes, 3. remove the old one. Required with DATABASE_URL."
  },
  {
    name: "SALLYPORT_PUBLIC_URL",
    about:
      "The URL where callers reach the service. Set it in production: it is part of the issuer of every token. It may have a path, such as https://example.com/auth, which a proxy in front must then include in the requests that it passes on. Default: http://localhost:<PORT>."
  },
  {
    name: "SALLYPORT_LOGIN_DOMAIN",
    about:
      "The parent domain of the hosts of connected apps, <subdomain>.<region>.<login domain>, which must all resolve to this service. Default: localhost."
  },
  { name: "SALLYPORT_REGION", about: "The region in the hosts of connected apps. Default: local." },
  { name: "SALLYPORT_ISSUER", about: "The issuer of all tokens. Default: <public URL>/realms/<realm id>." },
  { name: "SALLYPORT_HEADER_PREFIX", about: "The prefix of the service's own headers. Default: X-Service." },
  { name: "SALLYPORT_MAX_REALMS", about: "The maximum number of realms in this deployment. Default: 100." },
  {
    name: "SALLYPORT_EVENT_RETENTION_DAYS",
    about:
      "How many days events and their deliveries are retained, from 35 to 3650. A realm can retain its own for fewer days (event_retention_days). Default: 365."
  },
  {
    name: "SALLYPORT_LIMITS",
    about: "Set to off to turn off rate limits for load tests. Blocking after wrong passwords stays on. Default: on."
  },
  {
    name: "SALLYPORT_TRUSTED_PROXIES",
    about:
      "The proxies whose X-Forwarded-For header is trusted: addresses or networks such as 10.0.0.0/8, separated by commas. Default: none."
  },
  {
    name: "SALLYPORT_ALLOW_PRIVATE_TARGETS",
    about:
      "Set to true to let hooks and providers use plain http and private addresses. Default: true with the embedded database, otherwise false."
  },
  {
    name: "SALLYPORT_BREACHED_PASSWORDS_URL",
    about:
      "A service that knows passwords from data breaches, such as https://api.pwnedpasswords.com/range. New passwords are looked up there, and in the built-in list of common passwords. The service gets only the first five hexadecimal digits of a SHA-1 digest. If it doesn't respond within 2 seconds, passwords are accepted, which is logged. An address in a private network requires SALLYPORT_ALLOW_PRIVATE_TARGETS=true. Default: none, so passwords are not looked up."
  },
  {
    name: "SALLYPORT_DNS_RESOLVERS",
    about:
      "The DNS resolvers that look up the records of orgs' domains: IP addresses, each with an optional port such as 10.0.0.53:5353 or [2001:db8::53]:5353, separated by commas. More than half must answer, and all answers must agree, so several resolvers of different operators protect from a spoofed or stale answer. Default: the system's resolvers, which count as one."
  },
  {
    name: "SALLYPORT_SMTP_URL",
    secret: true,
    about:
      "The mail server, as smtp://user:password@host:587 (with STARTTLS) or smtps://. A remote server without STARTTLS gets no email unless the URL ends with ?tls=optional. Default: none, so no email leaves the service; with the embedded database or in test mode, emails are shown at /mailbox instead."
  },
  {
    name: "SALLYPORT_MAILBOX",
    about:
      "Set to true to show emails at /mailbox instead of sending them, for development on PostgreSQL. It can't be combined with SALLYPORT_SMTP_URL. Default: true with the embedded database or in test mode, unless SALLYPORT_SMTP_URL is set, otherwise false."
  },
  {
    name: "SALLYPORT_MAIL_FROM",
    about:
      "The sender of emails, as an address or as Name <address>. Without a name, the name of the realm is used. Default: no-reply@<host of the public URL>."
  },
  {
    name: "SALLYPORT_MAIL_FROM_DOMAINS",
    about:
      "The domains that hooks can send email from (email_from), separated by commas, or * for any. Default: the domain of SALLYPORT_MAIL_FROM, or any if emails don't leave the service."
  },
  {
    name: "SALLYPORT_DELIVERIES",
    about:
      "Set to off to hold emails, webhooks and logout notices: they wait in the database and don't leave the service. Meant for a copy of your data, such as a restored backup next to production. Default: on."
  },
  {
    name: "SALLYPORT_CONSOLE",
    about:
      "Set to off to disable the console at /console, where anyone with an API key can manage what the key allows. Default: on."
  },
  {
    name: "SALLYPORT_CONSOLE_KEYS",
    about:
      "Set to off to let only operators with their own accounts log in to the console, and no API keys. Owners can turn keys off, too, on the console's page Team. Default: on."
  },
  {
    name: "SALLYPORT_TEST_MODE",
    about:
      "Set to on to let callers move the clock (/v2/test/clock) and make emails, webhooks, providers and the database fail (/v2/test/faults), and set DNS records (/v2/test/dns). For tests only, never with real users. Default: off."
  },
  {
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    about: "The OpenTelemetry collector that receives traces, metrics and logs by OTLP over HTTP. Default: none."
  },
  {
    name: "SALLYPORT_TRACED_PERCENT",
    about:
      "The percentage of requests that are traced if there is a collector. For its own requests, a trusted proxy that sends traceparent decides. Default: 100."
  }
]

/** The variables for commands that call a running service. The service itself ignores them. */
export const commandVariables: ReadonlyArray<Variable> = [
  {
    name: "SALLYPORT_URL",
    about: "For commands that call a running service: its URL. Default: http://localhost:3000."
  },
  {
    name: "SALLYPORT_KEY",
    secret: true,
    about: "For commands that call a running service: the API key. Default: none."
  },
  {
    name: "SALLYPORT_REALM",
    about:
      "For commands that call a running service: the ID of the realm. Default: the realm of sallyport use or of the key."
  }
]
