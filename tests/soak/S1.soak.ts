import { openMemoryDatabase } from '../../server/platform/db/memory.ts'
import { runMoneyModel } from '../scenarios/moneyModelRun.ts'
import type { SoakRun, Row } from './row.ts'

const walks = Number(process.env['WALKS'] ?? 1000)
const commands = 200
/** Walks on one database; half of them in live mode, where the office reviews deposits. */
const together = 10

/**
 * Money is never created or lost: random requests to every module that moves money, compared with a model after each.
 * A failure prints the command that repeats its ten walks.
 */
export async function run({ seed, log }: SoakRun): Promise<Row[]> {
  let done = 0
  let compared = 0
  let broken = 0
  for (let first = seed; done < walks; first += together) {
    for (const live of [false, true]) {
      const count = together / 2
      const seeds = Array.from({ length: count }, (_, i) => first + i + (live ? count : 0))
      const database = await openMemoryDatabase()
      const { tried, violations } = await runMoneyModel(database, seeds, commands, live)
      await database.close()
      const repeat = `repeat with: WALKS=10 npm run campaign -- --seed ${first} S1`
      for (const violation of violations) log(`${violation}\n${repeat}`)
      compared += tried
      broken += violations.length
      done += count
    }
    if (done % 50 === 0) log(`${done} of ${walks} walks, ${broken} failed`)
  }
  const what = 'walks through every money module: a difference from the model, Σ ≠ 0, or available < 0'
  return [{ id: 'S1', what, tried: done, broken, note: `${commands} requests each, ${compared} comparisons` }]
}
