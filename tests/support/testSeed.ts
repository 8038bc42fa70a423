import { randomInt } from 'node:crypto'
import { relative } from 'node:path'
import { expect, onTestFailed } from 'vitest'

const seed = Number(process.env['SEED'] ?? randomInt(2 ** 31))

/**
 * The seed of the running test: `SEED`, or a new one for each run. If the test fails, prints the command that repeats it.
 * @param onFailed of the test's context, for concurrent tests
 */
export function testSeed(onFailed: typeof onTestFailed = onTestFailed): number {
  const file = relative(process.cwd(), expect.getState().testPath ?? '')
  onFailed(() => console.error(`Repeat with: SEED=${seed} npx vitest run ${file}`))
  return seed
}
