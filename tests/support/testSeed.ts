import { randomInt } from 'node:crypto'
import { relative } from 'node:path'
import { expect, onTestFailed } from 'vitest'

/** `SEED`, if the run is to be repeated. */
export const chosenSeed = process.env['SEED'] === undefined ? undefined : Number(process.env['SEED'])
const seed = chosenSeed ?? randomInt(2 ** 31)

/** Prints the command that runs the current test file again with the random choices of a seed. */
export function printRepeatCommand(of: number): void {
  const file = relative(process.cwd(), expect.getState().testPath ?? '')
  console.error(`Repeat with: SEED=${of} npx vitest run ${file}`)
}

/**
 * The seed of the running test: `SEED`, or a new one for each run. If the test fails, prints the command that repeats it.
 * @param onFailed of the test's context, for concurrent tests
 */
export function testSeed(onFailed: typeof onTestFailed = onTestFailed): number {
  onFailed(() => printRepeatCommand(seed))
  return seed
}
