/** What is between the service and PostgreSQL: nothing, or a pooler in transaction mode such as PgBouncer (C222). */
export type Pooler = "none" | "transaction"
