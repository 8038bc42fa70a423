import { searchCanaries } from '../support/safety/canaries.ts'
import type { SoakRun, Row } from './row.ts'

/** What is personal stays so. The browser's own storage is searched by `tests/e2e/canaries.e2e.ts`. */
export async function run({ log }: SoakRun): Promise<Row[]> {
  const { searched, found } = await searchCanaries()
  for (const one of found) log(one)
  return [
    {
      id: 'S15',
      what: 'logs, files and answers searched for canaries',
      tried: searched,
      broken: found.length,
    },
  ]
}
