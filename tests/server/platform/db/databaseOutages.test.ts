import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { DatabaseOutages } from '../../../../server/platform/db/databaseOutages.ts'
import type { DatabaseTrouble } from '../../../../server/platform/db/trouble.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const refused: DatabaseTrouble = { kind: 'gone', code: 'ECONNREFUSED', what: 'refuses connections' }
const ended: DatabaseTrouble = { kind: 'lost', code: '57P01', what: 'ended the venue’s sessions' }
const full: DatabaseTrouble = { kind: 'full', code: '53100', what: 'has no space left on its disk' }

function openOutages() {
  const lines: string[] = []
  const database = { isUp: true }
  const outages = new DatabaseOutages((level, line) => lines.push(`${level}: ${line}`))
  outages.watch('PostgreSQL at db:5432', async () => {
    if (!database.isUp) throw new Error('down')
  })
  return { lines, database, outages }
}

it('tells once that the database is gone and once that it is back, with what failed meanwhile', async () => {
  const { lines, database, outages } = openOutages()
  database.isUp = false
  outages.count(ended, 'task', 'settling failed')
  for (let second = 0; second < 30; second += 1) {
    outages.count(refused, 'request', 'POST /api/orders')
    outages.count(refused, 'task', 'settings: failed')
    await vi.advanceTimersByTimeAsync(1000)
  }
  // Nothing fails any more, because nobody asks: it is still gone.
  await vi.advanceTimersByTimeAsync(30_000)
  expect(lines).toEqual([
    'warn: PostgreSQL at db:5432 ended the venue’s sessions (57P01), first at: settling failed; what fails until it is over is counted',
    'error: PostgreSQL at db:5432 refuses connections (ECONNREFUSED), first at: POST /api/orders; what fails until it is over is counted',
  ])
  database.isUp = true
  await vi.advanceTimersByTimeAsync(10_000)
  expect(lines.slice(2)).toEqual([
    'warn: PostgreSQL at db:5432 works again, after 60 s: 30 requests and 31 tasks failed',
  ])
})

it('waits longer with a full disk, because a read says nothing about it, and tells of the next one again', async () => {
  const { lines, outages } = openOutages()
  outages.count(full, 'request', 'POST /api/orders')
  await vi.advanceTimersByTimeAsync(25_000)
  outages.count(full, 'request', 'POST /api/orders')
  await vi.advanceTimersByTimeAsync(25_000)
  expect(lines).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(lines[1]).toBe('warn: PostgreSQL at db:5432 works again, after 25 s: 2 requests and 0 tasks failed')
  outages.count(full, 'task', 'storing entries failed')
  expect(lines).toHaveLength(3)
})
