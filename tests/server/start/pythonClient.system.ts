import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { openBuiltVenue } from '../../support/builtVenue.ts'

const run = promisify(execFile)
const program = join(import.meta.dirname, '../../client/client.py')
const hasPython = await run('python3', ['-c', 'import sys; assert sys.version_info >= (3, 8)']).then(
  () => true,
  () => false,
)

describe.skipIf(!hasPython)('the client in Python of docs/protocol.md (needs python3)', () => {
  it('opens an account, trades and recomputes the result', async () => {
    const venue = await openBuiltVenue()
    try {
      const { stdout } = await run('python3', [program, venue.url, 'python', '13800138000', 'BTCUSDT'])
      const result = JSON.parse(stdout) as { status: string; ticks: number; pnl: string }
      expect(result).toMatchObject({ pnl: { won: '8.00', lost: '-10.00', tied: '0.00' }[result.status] })
      expect(result.ticks).toBeGreaterThan(5)
    } finally {
      await venue.close()
    }
  })
})
