import { searchCanaries } from '../scenarios/safety/canaries.ts'
import { withServerBundle } from '../support/serverBundle.ts'
import type { SoakRun, Row } from './row.ts'

/** Personal data stays private. `tests/e2e/canaries.e2e.ts` searches the browser's own storage. */
export async function run({ log }: SoakRun): Promise<Row[]> {
  const { searched, found } = await withServerBundle(searchCanaries)
  for (const canary of found) log(canary)
  return [
    {
      id: 'S15',
      what: 'logs, files and answers searched for canaries',
      tried: searched,
      broken: found.length,
    },
  ]
}
