/** One step of the database's shape. `sql` may hold many statements and runs in one transaction. */
export type Migration = {
  readonly id: number
  readonly name: string
  readonly sql: string
  /** The hash of its SQL in earlier builds: a database that has it is brought to the same shape by a later step. */
  readonly formerly?: string
}
