/** The kind of pooler between the service and PostgreSQL: none, or one in transaction mode such as PgBouncer (C222). */
export type Pooler = "none" | "transaction"
