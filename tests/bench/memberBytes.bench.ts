import { memberBytes } from '../scenarios/memberBytes.ts'
import type { Row } from './row.ts'

const seconds = 60
const limit = 5000

/** P11: bytes a second to a member with 20 products in a list and one open, each with 20 ticks a second. */
export async function run(): Promise<Row[]> {
  const { total, byEvent } = await memberBytes(seconds)
  const row = (what: string, value: number): Row => ({ id: 'P11', what, value, unit: 'B/s' })
  return [
    ...Object.entries(byEvent).map(([event, bytes]) => row(`to a member: ${event}`, bytes)),
    {
      ...row('to a member with 20 products in a list and one open', total),
      limit: `≤ ${limit}`,
      ok: total <= limit,
    },
  ]
}
