/** One step of the database's shape. `sql` may hold many statements and runs in one transaction. */
export type Migration = {
  readonly id: number
  readonly name: string
  readonly sql: string
}
