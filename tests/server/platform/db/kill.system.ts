import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serverBundle } from '../../../support/serverBundle.ts'

/** Kills after so many acknowledged commits: at once, and after a checkpoint (every 20). */
const killAfter = [1, 21]

let dir = ''

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'uptick-kill-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

it('loses no acknowledged commit of the embedded database when its process is killed', async () => {
  let acknowledged = 0
  for (const commits of [...killAfter, 1]) {
    const { found, last } = await runAndKill(commits)
    // A commit in flight when the process was killed may be there too, without an acknowledgement.
    expect(found.held).toBeGreaterThanOrEqual(acknowledged)
    expect(found.held).toBeLessThanOrEqual(acknowledged + 1)
    expect(found).toEqual({ held: found.held, paired: found.held, last: found.held, total: found.held })
    acknowledged = last
  }
})

type StoredCounts = {
  readonly held: number
  readonly paired: number
  readonly last: number
  readonly total: number
}

/** Starts the process, kills it after `commits` acknowledged commits, and returns what it reported. */
async function runAndKill(commits: number): Promise<{ found: StoredCounts; last: number }> {
  const child = spawn(process.execPath, [join(serverBundle(), 'commitForever.js'), dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  let found: StoredCounts | null = null
  let last = 0
  let acknowledged = 0
  for await (const line of createInterface({ input: child.stdout })) {
    const message = JSON.parse(line) as { found?: StoredCounts; committed?: number }
    if (message.found !== undefined) found = message.found
    if (message.committed !== undefined) {
      last = message.committed
      acknowledged += 1
      if (acknowledged === commits) child.kill('SIGKILL')
    }
  }
  await exit
  if (found === null) throw new Error('The process ended before it opened its database.')
  return { found, last }
}
