import { openMemoryDatabase } from '../../server/db/memory.ts'
import { runMoneyModel } from '../support/moneyModelRun.ts'
import type { SoakRun, Row } from './row.ts'

const walks = Number(process.env['WALKS'] ?? 1000)
const commands = 200
/** Walks on one database; half of them with deposits that the desk reviews. */
const together = 10

/**
 * Money is never made or lost: random calls of every room that moves money, compared with a model after each.
 * A walk that went wrong is replayed by `WALKS=10 npm run campaign -- --seed FIRST S1`, FIRST being its ten's first seed.
 */
export async function run({ seed, log }: SoakRun): Promise<Row[]> {
  let done = 0
  let broken = 0
  for (let first = seed; done < walks; first += together) {
    for (const reviewed of [false, true]) {
      const count = together / 2
      const seeds = Array.from({ length: count }, (_, i) => first + i + (reviewed ? count : 0))
      const database = await openMemoryDatabase()
      const wrong = await runMoneyModel(database, seeds, commands, reviewed)
      await database.close()
      for (const line of wrong) log(`the ten from ${first}: ${line}`)
      broken += wrong.length
      done += count
    }
    if (done % 50 === 0) log(`${done} of ${walks} walks, ${broken} wrong`)
  }
  const what = 'walks through every money room: a difference from the model, Σ ≠ 0, or available < 0'
  return [{ id: 'S1', what, tried: done, broken, note: `${commands} calls each, all compared after each` }]
}
