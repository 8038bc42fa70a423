import { searchCanaries } from '../support/safety/canaries.ts'
import type { Campaign, Row } from './row.ts'

/** What is personal stays so. The browser's own storage is searched by `tests/e2e/canaries.e2e.ts`. */
export async function run({ say }: Campaign): Promise<Row[]> {
  const { searched, found } = await searchCanaries()
  for (const one of found) say(one)
  return [
    {
      id: 'S15',
      what: 'logs, files and answers searched for canaries',
      tried: searched,
      broken: found.length,
    },
  ]
}
