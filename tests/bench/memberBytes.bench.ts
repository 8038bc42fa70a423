import { memberBytes } from '../scenarios/memberBytes.ts'
import type { Row } from './row.ts'

const seconds = 60
const limit = 5000

/** P11: bytes a second to a member with 20 products in a list and one open, each with 20 ticks a second. */
export async function run(): Promise<Row[]> {
  const { absolute, delta } = await memberBytes(seconds)
  const { total, byEvent } = delta
  const row = (what: string, value: number): Row => ({ id: 'P11', what, value, unit: 'B/s' })
  return [
    ...Object.entries(byEvent).map(([event, bytes]) => row(`to a member: ${event}`, bytes)),
    row('to a member whose client asks for no differences', absolute.total),
    {
      ...row('to a member with 20 products in a list and one open', total),
      limit: `≤ ${limit}`,
      ok: total <= limit,
    },
  ]
}
