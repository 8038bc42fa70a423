import { spawnSync } from 'node:child_process'
import { readFile, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { deskKey } from '../../e2e/officeCalls.ts'
import { nodeFlags, startVenue } from '../../support/venueProcess.ts'
import { scratchFolder } from '../../support/wholeVenue.ts'
import { search, submitCanaries, type CanaryReport } from '../safety/canaries.ts'

/** Plain in the database, so that only an encrypted backup hides it. */
const account = 'confider_1'

/** Makes a backup of a venue with every canary, and searches it: without the key it shows nothing, not even the account. */
export async function searchBackup(main: string): Promise<CanaryReport> {
  const folder = await scratchFolder()
  const report: CanaryReport = { searched: 0, found: [] }
  const dataDir = join(folder.path, 'data')
  const env = { DATA_DIR: dataDir, PRODUCTS_FILE: 'tests/e2e/products.json', DESK_KEY: deskKey }
  const venue = startVenue([main], { ...env, RATE_LIMITS: 'off', LOG_LEVEL: 'error' })
  try {
    await submitCanaries(await venue.ready)
    await venue.end('SIGTERM')
    const args = [...nodeFlags, join(dirname(main), 'backup.js'), 'backup', join(folder.path, 'venue.tar')]
    const made = spawnSync(process.execPath, args, { env: { PATH: process.env['PATH'], ...env } })
    if (made.status !== 0) throw new Error(made.stderr.toString())
    for (const name of await readdir(folder.path)) {
      if (name === 'data') continue
      const bytes = await readFile(join(folder.path, name))
      search(`file ${name}`, bytes, report)
      if (bytes.includes(account)) report.found.push(`the account in ${name}`)
    }
  } finally {
    await venue.end('SIGKILL')
    await folder.remove()
  }
  return report
}
