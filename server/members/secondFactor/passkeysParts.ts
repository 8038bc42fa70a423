import type { Db } from '../../platform/db/database.ts'
import type { Clock, Random } from '../../platform/ports.ts'
import type { FactorTables } from '../schema.ts'
import type { Tickets } from './tickets.ts'

export type PasskeysParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  random: Random
  tables: Pick<FactorTables, 'kind' | 'passkey'>
  tickets: Tickets
}
